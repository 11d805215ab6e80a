import { NoAnswer } from '../../operator-errors.ts'
import type { Adapter, CallbackReading, ExchangeAbout, RailKind, RailWorld, SettingValues } from '../../rail-kind.ts'
import type { Counterpart } from '../counterpart.ts'

/** A fault that somebody could write into an adapter, injected into a good one. */
export interface Plant {
  /** What it does wrong. */
  readonly name: string
  readonly in: Counterpart
  /** The names of exactly the rules that it breaks, its own first. The others check the same fact at another moment. */
  readonly breaks: readonly [string, ...string[]]
  wrong(kind: RailKind): RailKind
}

type Change<Of> = (good: Of, world: RailWorld, settings: SettingValues) => Partial<Of>

/** The adapter with some of its calls replaced by faulty ones. */
export const adapterThat =
  (change: Change<Adapter>): Plant['wrong'] =>
  (kind) => ({
    ...kind,
    connect(settings, world) {
      const good = kind.connect(settings, world)
      return { ...good, ...change(good, world, settings) }
    },
  })

/** The adapter with a changed reading of messages. */
export const readingThat = (change: (reading: CallbackReading) => CallbackReading): Plant['wrong'] =>
  adapterThat(({ readCallback }) => ({
    readCallback(callback) {
      const reading = readCallback(callback)
      return reading && change(reading)
    },
  }))

/** The adapter with a changed world. */
export const worldThat =
  (change: (world: RailWorld) => Partial<RailWorld>): Plant['wrong'] =>
  (kind) => ({ ...kind, connect: (settings, world) => kind.connect(settings, { ...world, ...change(world) }) })

type Call = (request: Request) => Promise<Response>

/** The adapter with its HTTP calls changed. */
export const callsThat = (change: (call: Call, about: ExchangeAbout) => Call): Plant['wrong'] =>
  worldThat((world) => ({ fetchFor: (about) => change(world.fetchFor(about), about) }))

/** Changes the request body. */
export const bodiesThat = (change: (body: Readonly<Record<string, unknown>>) => object): Plant['wrong'] =>
  callsThat((call, { purpose }) => async (request) => {
    const text = await request.clone().text()
    if (purpose !== 'submit' || text === '') return call(request)
    const body = JSON.stringify(change(JSON.parse(text) as Readonly<Record<string, unknown>>))
    const headers = new Headers(request.headers)
    headers.delete('content-length')
    return call(new Request(request.url, { method: request.method, headers, body }))
  })

/**
 * Treats a lost reply to an order as a definite one.
 * @param means undefined: the reply stays lost
 */
export const lostAnswersThat = (means: (error: NoAnswer) => Response | undefined): Plant['wrong'] =>
  callsThat((call, { purpose }) => async (request) => {
    try {
      return await call(request)
    } catch (error) {
      const meant = purpose === 'submit' && error instanceof NoAnswer ? means(error) : undefined
      if (meant) return meant
      throw error
    }
  })
