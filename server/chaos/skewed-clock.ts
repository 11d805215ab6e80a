// Preloaded into the processes of the drill (`node --import`), and into nothing else: the clock of such a process is
// wrong by what its parent says, from its start (`?offset=` of this module's address) and whenever it sends another
// offset. Timers go on as they were: a wrong clock does not make a machine faster.
import { isMainThread } from 'node:worker_threads'

export interface ClockMessage {
  readonly offsetMs: number
}

let offsetMs = Number(new URL(import.meta.url).searchParams.get('offset') ?? 0)

const TrueDate = Date
const now = (): number => TrueDate.now() + offsetMs

// A proxy and no class of our own: what Node itself makes of time must still be an instance of Date.
globalThis.Date = new Proxy(TrueDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
  apply: () => new TrueDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
})

if (isMainThread && process.channel) {
  process.on('message', (message: ClockMessage) => {
    offsetMs = message.offsetMs
  })
  // Nobody else would end it when the drill itself was killed.
  process.on('disconnect', () => process.exit(1))
  process.channel.unref()
}
