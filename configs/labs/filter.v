// A filter of four taps, for a small FPGA.
module filter(input clk, input [7:0] x, output reg [17:0] y);
  reg [7:0] d0, d1, d2, d3;
  reg [15:0] p0, p1, p2, p3;
  always @(posedge clk) begin
    d0 <= x; d1 <= d0; d2 <= d1; d3 <= d2;
    p0 <= d0 * 8'd53; p1 <= d1 * 8'd211; p2 <= d2 * 8'd187; p3 <= d3 * 8'd91;
    y <= (p0 + p1) + (p2 + p3);
  end
endmodule
