import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { InboxStore } from './inbox-store.ts'

/** A new message is shown within this time. Another process may have received it, so this polls the database. */
const POLL_MS = 300
/** Proxies close connections that are idle for a minute or so. */
const POLLS_PER_BEAT = 50

/** Sends a text to one reader. */
type Notify = (text: string) => void

/** Polls the inbox while there are readers, once for all of them. */
class InboxWatch {
  readonly #inbox: Pick<InboxStore, 'version'>
  readonly #readers = new Map<Notify, () => void>()
  readonly #ended: AbortSignal
  #version: string | undefined
  #isPolling = false

  constructor(inbox: Pick<InboxStore, 'version'>, ended: AbortSignal) {
    this.#inbox = inbox
    this.#ended = ended
    ended.addEventListener('abort', () => this.#readers.forEach((end) => end()))
  }

  /** @param end called when no more events will follow */
  add(report: Notify, end: () => void): void {
    if (this.#ended.aborted) return end()
    this.#readers.set(report, end)
    if (this.#version !== undefined) report(eventOf(this.#version))
    if (!this.#isPolling) void this.#poll()
  }

  remove(report: Notify): void {
    this.#readers.delete(report)
  }

  async #poll(): Promise<void> {
    this.#isPolling = true
    this.#version = undefined
    for (let polls = 1; this.#readers.size > 0 && !this.#ended.aborted; polls++) {
      // Keeps the last version while the database is unavailable.
      const version = await this.#inbox.version().catch(() => this.#version)
      if (version !== undefined && version !== this.#version) this.#sendToAll(eventOf(version))
      else if (polls % POLLS_PER_BEAT === 0) this.#sendToAll(':\n\n')
      this.#version = version
      await sleep(POLL_MS, undefined, { signal: this.#ended }).catch(() => undefined)
    }
    this.#isPolling = false
    this.#version = undefined
  }

  #sendToAll(text: string): void {
    for (const report of this.#readers.keys()) report(text)
  }
}

const eventOf = (version: string): string => `event: inbox\ndata: ${version}\n\n`

/** Server-sent events: the version of the inbox, at once and whenever it changes. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export function serveStream(app: FastifyInstance, url: string, inbox: Pick<InboxStore, 'version'>): void {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  const watch = new InboxWatch(inbox, closing.signal)

  app.get(url, (_request, reply) => {
    const { raw: response } = reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) response.setHeader(name, value)
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // nginx would buffer the events.
      'x-accel-buffering': 'no',
    })
    response.write('retry: 3000\n\n')
    const sendReport: Notify = (text) => void response.write(text)
    response.on('close', () => watch.remove(sendReport))
    watch.add(sendReport, () => response.end())
  })
}
