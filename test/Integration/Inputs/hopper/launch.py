import torch

from lpgemm import runtime

M, N, K = 4096, 2112, 7168
torch.manual_seed(1)
a = torch.randn(M, K, device="cuda").to(torch.float8_e4m3fn)
b = torch.randn(N, K, device="cuda").to(torch.float8_e4m3fn)
sa = torch.rand(M, K // 128, device="cuda")
sb = torch.rand((N + 127) // 128, K // 128, device="cuda")
d = torch.full((M, N), float("nan"), dtype=torch.bfloat16, device="cuda")

program = runtime.load("matmul.cubin")  # and matmul.cubin.json
launch = program.prepare(lhs=a, rhs=b, lhs_scale=sa, rhs_scale=sb, init=d)
launch()  # on PyTorch's current stream; as often as you like

# The same in f32.
lhs = a.float() * sa.repeat_interleave(128, dim=1)
rows = sb.repeat_interleave(128, dim=0)[:N]
rhs = b.float() * rows.repeat_interleave(128, dim=1)
expected = lhs @ rhs.T
error = ((d.float() - expected).norm() / expected.norm()).item()
print(f"{M}x{N}x{K}: relative error {'below' if error < 0.005 else 'above'} 0.005")
