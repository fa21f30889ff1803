// Starts the page. A file of its own, because the page's security policy allows no inline script.
import init from "./web.js";

const app = document.getElementById("app");
try {
  await init({ module_or_path: new URL("./web_bg.wasm", import.meta.url) });
} catch (error) {
  // Without this a browser that lacks a WebAssembly feature shows nothing at all.
  const sentence = document.createElement("p");
  sentence.setAttribute("role", "alert");
  sentence.textContent = `storescope could not start in this browser: ${error}`;
  app.append(sentence);
  throw error;
} finally {
  app.removeAttribute("aria-busy");
}
