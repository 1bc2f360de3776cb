"""What is searched by comparisons that people make, where nobody can measure."""
