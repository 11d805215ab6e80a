// Preloaded into the processes of the drill only (`node --import`): skews the clock of such a process by the offset
// that its parent gives, from its start (`?offset=` of this module's address) and whenever the parent sends another
// offset. Timers are unaffected: a wrong clock does not make a machine faster.
import { isMainThread } from 'node:worker_threads'

export interface ClockMessage {
  readonly offsetMs: number
}

let offsetMs = Number(new URL(import.meta.url).searchParams.get('offset') ?? 0)

const TrueDate = Date
const now = (): number => TrueDate.now() + offsetMs

// A proxy, not a subclass: the dates that Node itself creates must still be instances of Date.
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
  // Exit with the parent: nothing else would end this process when the drill itself was killed.
  process.on('disconnect', () => process.exit(1))
  process.channel.unref()
}
