import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { InboxStore } from './inbox-store.ts'

/** What arrives is seen within so long. Another process may have taken it, so the database is what is looked at. */
const LOOK_MS = 300
/** Proxies end connections on which nothing is said for a minute or so. */
const LOOKS_PER_BEAT = 50

/** Says something to one reader. */
type Tell = (text: string) => void

/** Looks at the inbox for as long as somebody wants to hear of it, once for all of them. */
class Watch {
  readonly #inbox: Pick<InboxStore, 'version'>
  readonly #readers = new Map<Tell, () => void>()
  readonly #ended: AbortSignal
  #version: string | undefined
  #isLooking = false

  constructor(inbox: Pick<InboxStore, 'version'>, ended: AbortSignal) {
    this.#inbox = inbox
    this.#ended = ended
    ended.addEventListener('abort', () => this.#readers.forEach((end) => end()))
  }

  /** @param end called when nothing will be told any more */
  add(tell: Tell, end: () => void): void {
    if (this.#ended.aborted) return end()
    this.#readers.set(tell, end)
    if (this.#version !== undefined) tell(eventOf(this.#version))
    if (!this.#isLooking) void this.#look()
  }

  remove(tell: Tell): void {
    this.#readers.delete(tell)
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    this.#version = undefined
    for (let looks = 1; this.#readers.size > 0 && !this.#ended.aborted; looks++) {
      // A database that is away comes back.
      const version = await this.#inbox.version().catch(() => this.#version)
      if (version !== undefined && version !== this.#version) this.#tellAll(eventOf(version))
      else if (looks % LOOKS_PER_BEAT === 0) this.#tellAll(':\n\n')
      this.#version = version
      await sleep(LOOK_MS, undefined, { signal: this.#ended }).catch(() => undefined)
    }
    this.#isLooking = false
    this.#version = undefined
  }

  #tellAll(text: string): void {
    for (const tell of this.#readers.keys()) tell(text)
  }
}

const eventOf = (version: string): string => `event: inbox\ndata: ${version}\n\n`

/** Server-sent events: the version of the inbox, at once and whenever it changes. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export function serveStream(app: FastifyInstance, url: string, inbox: Pick<InboxStore, 'version'>): void {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  const watch = new Watch(inbox, closing.signal)

  app.get(url, (_request, reply) => {
    const { raw: response } = reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) response.setHeader(name, value)
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // nginx would keep it back until there is more.
      'x-accel-buffering': 'no',
    })
    response.write('retry: 3000\n\n')
    const tell: Tell = (text) => void response.write(text)
    response.on('close', () => watch.remove(tell))
    watch.add(tell, () => response.end())
  })
}
