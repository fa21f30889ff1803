// Reads a file ahead of the worker that recovers, into a ring of slots that both share: while that one checks records, this one
// waits for the disk. src/bin/web/worker/read_ahead.rs is the other side, and says what the words of `state` mean.

self.addEventListener("message", async ({ data: { blob, state, ring, slots } }) => {
  state = new Int32Array(state);
  ring = new Uint8Array(ring);
  const size = ring.length / slots;
  const ended = () => Atomics.load(state, 0) !== 0;
  const give = (slot, bytes) => {
    Atomics.store(state, 1 + slot, bytes);
    Atomics.notify(state, 1 + slot);
  };
  let slot = 0;
  try {
    const reader = blob.stream().getReader({ mode: "byob" });
    let buffer = new ArrayBuffer(size);
    for (;;) {
      // Until the slot is free. Not for ever: this worker may be forgotten together with the other.
      while (Atomics.load(state, 1 + slot) !== 0 && !ended()) {
        Atomics.wait(state, 1 + slot, Atomics.load(state, 1 + slot), 1000);
      }
      let bytes = 0;
      let done = false;
      while (bytes < size && !done && !ended()) {
        const read = await reader.read(new Uint8Array(buffer, 0, size - bytes));
        done = read.done;
        if (done) break;
        buffer = read.value.buffer;
        ring.set(read.value, slot * size + bytes);
        bytes += read.value.length;
      }
      if (ended()) return await reader.cancel();
      if (bytes > 0) give(slot, bytes);
      if (done) return;
      slot = (slot + 1) % slots;
    }
  } catch {
    // The other side reads the bytes itself, and learns what is wrong.
    if (!ended()) give(slot, -1);
  }
});
self.postMessage("up");
