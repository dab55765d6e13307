// SPDX-License-Identifier: Apache-2.0
// Keeps the page up to date: countdowns, stock, reservations, notifications. Without it the page works by reloading.
"use strict";

const root = document.documentElement;
// The clock of the server counts, not the visitor's.
const skew = root.dataset.now ? Date.parse(root.dataset.now) - Date.now() : 0;
const now = () => Date.now() + skew;
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// Countdowns: data-until="instant" or data-seconds="42", data-over="text at the end".

function tick() {
  for (const timer of all("[data-until], [data-seconds]")) {
    timer.dataset.until ??= new Date(now() + timer.dataset.seconds * 1000).toISOString();
    const left = Math.max(0, Date.parse(timer.dataset.until) - now());
    const seconds = Math.ceil(left / 1000);
    const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    const text = seconds > 0 ? clock : timer.dataset.over;
    if (timer.textContent !== text) timer.textContent = text;
    const whole = timer.dataset.whole * 1000;
    const ring = timer.closest(".countdown");
    if (!ring || !whole) continue;
    ring.classList.toggle("ending", left < whole / 4);
    ring.querySelector(".ring-left").setAttribute("stroke-dasharray", `${Math.min(100, (100 * left) / whole).toFixed(1)} 100`);
  }
}

function localTimes(within) {
  for (const time of all("time[data-local]", within)) {
    time.textContent = new Date(time.dateTime).toLocaleTimeString("en-GB");
  }
}

// Live regions: id, data-src="address that answers with an element of this id", and data-live="event" or data-every="millis".
// Only the elements with data-part are replaced, if there are any: what is around them keeps its focus and input.

const rendered = new WeakMap();
const inFlight = new Map();

function swap(region, fresh) {
  const parts = (element) => all("[data-part]", element);
  const names = (element) => parts(element).map((part) => part.dataset.part).join();
  const sameParts = names(region) !== "" && names(region) === names(fresh);
  const pairs = sameParts ? parts(region).map((part, i) => [part, parts(fresh)[i]]) : [[region, fresh]];
  for (const [old, next] of pairs) {
    const html = next.innerHTML;
    if (rendered.get(old) === html) continue;
    rendered.set(old, html);
    localTimes(next);
    const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
    old.replaceChildren(...next.childNodes);
    if (focused) document.getElementById(focused)?.focus();
  }
}

async function refresh(region) {
  if (inFlight.has(region)) {
    inFlight.set(region, "again");
    return;
  }
  inFlight.set(region, "once");
  try {
    const answer = await fetch(region.dataset.src);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(region.id);
    if (answer.ok && fresh) {
      swap(region, fresh);
      tick();
      toast();
    }
  } catch {
    // The server is away. The next event or the next poll tries again.
  }
  const again = inFlight.get(region) === "again";
  inFlight.delete(region);
  if (again) refresh(region);
}

// Toasts: an element with data-announce that was not on the page before is shown, and read out, once.

const announced = new Set(all("[data-announce]").map((item) => item.dataset.announce));

function toast() {
  for (const item of all("[data-announce]").filter((one) => !announced.has(one.dataset.announce))) {
    announced.add(item.dataset.announce);
    document.querySelector("main > .message[role=status]")?.remove(); // older news
    const box = document.createElement("p");
    box.className = "toast";
    box.textContent = item.querySelector("[data-announce-text]").textContent;
    document.getElementById("toasts").append(box);
    setTimeout(() => box.remove(), 8000);
  }
}

function showStock({ productId, available }) {
  for (const stock of all(`[data-stock="${Number(productId)}"]`)) {
    if (stock.dataset.available === String(available)) continue;
    const text = available === 0 ? "Sold out" : available < 4 ? `Only ${available} left` : `${available} in stock`;
    stock.dataset.available = available;
    stock.textContent = text;
    const product = stock.closest(".product");
    product.classList.toggle("sold-out", available === 0);
    product.classList.remove("changed");
    requestAnimationFrame(() => product.classList.add("changed"));
    document.getElementById("stock-news").textContent = `${stock.dataset.name}: ${text}`;
  }
}

function showUnread({ unread }) {
  for (const badge of all("[data-unread]")) {
    badge.hidden = unread === 0;
    badge.firstElementChild.textContent = unread;
  }
}

// A browser opens few connections to one host: a page that nobody sees gives its own back.

let events = null;

function disconnect() {
  events?.close();
  events = null;
}

function connect() {
  if (events || document.hidden) return;
  events = new EventSource(root.dataset.events);
  events.addEventListener("open", () => {
    showConnection("Live");
    all("[data-live]").forEach(refresh); // what happened while there was no connection
  });
  events.addEventListener("error", () => {
    showConnection("Reconnecting…");
    if (events?.readyState !== EventSource.CLOSED) return;
    disconnect(); // The server refused, and the browser has given up.
    setTimeout(connect, 5000);
  });
  events.addEventListener("stock", (event) => showStock(JSON.parse(event.data)));
  events.addEventListener("orders", () => refreshOn("orders"));
  events.addEventListener("notifications", (event) => {
    showUnread(JSON.parse(event.data));
    refreshOn("notifications");
  });
}

function refreshOn(name) {
  all(`[data-live="${name}"]`).forEach(refresh);
}

function showConnection(text) {
  const status = document.getElementById("connection");
  status.hidden = false;
  status.textContent = text;
  status.classList.toggle("lost", text !== "Live");
}

// Forms: − and + beside a quantity, the sum of what is chosen, a button that says that the request runs.

document.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step]");
  if (!step) return;
  const input = step.parentElement.querySelector("input");
  input.value = Math.min(input.max, Math.max(0, Number(input.value) + Number(step.dataset.step)));
  input.dispatchEvent(new Event("input", { bubbles: true }));
});

document.addEventListener("input", (event) => {
  const chosen = event.target.form?.querySelector("[data-chosen]");
  if (!chosen) return;
  const sum = all(".stepper input", event.target.form).reduce((total, input) => total + Number(input.value), 0);
  chosen.textContent = sum === 0 ? "Nothing chosen yet" : sum === 1 ? "1 item chosen" : `${sum} items chosen`;
});

document.addEventListener("submit", (event) => {
  if (event.target.method === "post") {
    if (event.target.dataset.sent) event.preventDefault(); // the second click of a double click
    event.target.dataset.sent = "yes";
  }
  const button = event.submitter;
  if (!event.target.dataset.busy || !button) return;
  button.setAttribute("aria-disabled", "true");
  button.textContent = event.target.dataset.busy;
});

addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload(); // back from the cache, with a closed connection
});

root.classList.add("scripted");
localTimes(document);
tick();
setInterval(tick, 250);
for (const region of all("[data-every]")) {
  setInterval(() => document.hidden || refresh(region), Number(region.dataset.every));
}
if (document.getElementById("connection")) {
  connect();
  document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : connect()));
  addEventListener("pagehide", disconnect);
}
