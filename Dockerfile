# Builds an image with CUDA 13 or, by the second command, without a GPU. docs/artifact.md says how to run it:
#   docker build -t gtrav .
#   docker build -t gtrav --build-arg BASE=debian:bookworm-slim .
ARG BASE=nvidia/cuda:13.0.1-devel-ubuntu24.04
FROM ${BASE}
# As in config.mk: all, or your GPU's compute capability, such as 90, which builds six times as fast.
ARG CUDA_ARCH=all
WORKDIR /gtrav
COPY . .
RUN ./gtrav-setup run && make CUDA_ARCH="$CUDA_ARCH" && make CUDA_ARCH="$CUDA_ARCH" install
CMD ["gtrav", "--list"]
