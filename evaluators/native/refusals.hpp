// Why connections could not be made: ZeroMQ keeps silent about it otherwise.
#pragma once

#include <string>
#include <vector>

namespace native
{

struct Refusal
{
    std::string why;
    bool given_up = false; // ZeroMQ does not dial on, as if nobody else could ever listen there
};

// What is told of one socket. It must go before the socket and the context do.
class Refusals
{
  public:
    Refusals(void* context, void* socket);
    ~Refusals();
    Refusals(const Refusals&) = delete;
    Refusals& operator=(const Refusals&) = delete;

    // Readable where there is any.
    void* readable() const { return m_events; }
    // Those since the last call.
    std::vector<Refusal> read();

  private:
    void* m_socket;
    void* m_events;
};

} // namespace native
