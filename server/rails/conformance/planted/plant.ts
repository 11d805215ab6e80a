import { NoAnswer } from '../../operator-errors.ts'
import type { Adapter, CallbackReading, ExchangeAbout, RailKind, RailWorld, SettingValues } from '../../rail-kind.ts'
import type { Counterpart } from '../counterpart.ts'

/** A fault that somebody could write into an adapter, put into a good one. */
export interface Plant {
  /** What it does wrong. */
  readonly name: string
  readonly in: Counterpart
  /**
   * The names of the rules that it breaks, and no others: its own first. Others are those that say the same of another
   * moment.
   */
  readonly breaks: readonly [string, ...string[]]
  wrong(kind: RailKind): RailKind
}

type Change<Of> = (good: Of, world: RailWorld, settings: SettingValues) => Partial<Of>

/** The adapter with some of its calls done wrong. */
export const adapterThat =
  (change: Change<Adapter>): Plant['wrong'] =>
  (kind) => ({
    ...kind,
    connect(settings, world) {
      const good = kind.connect(settings, world)
      return { ...good, ...change(good, world, settings) }
    },
  })

/** The adapter with readings of messages that are otherwise. */
export const readingThat = (change: (reading: CallbackReading) => CallbackReading): Plant['wrong'] =>
  adapterThat(({ readCallback }) => ({
    readCallback(callback) {
      const reading = readCallback(callback)
      return reading && change(reading)
    },
  }))

/** The adapter with a wrong picture of the world. */
export const worldThat =
  (change: (world: RailWorld) => Partial<RailWorld>): Plant['wrong'] =>
  (kind) => ({ ...kind, connect: (settings, world) => kind.connect(settings, { ...world, ...change(world) }) })

type Call = (request: Request) => Promise<Response>

/** The adapter with its calls done wrong. */
export const callsThat = (change: (call: Call, about: ExchangeAbout) => Call): Plant['wrong'] =>
  worldThat((world) => ({ fetchFor: (about) => change(world.fetchFor(about), about) }))

/** Sends a body that says something else. */
export const bodiesThat = (change: (body: Readonly<Record<string, unknown>>) => object): Plant['wrong'] =>
  callsThat((call, { purpose }) => async (request) => {
    const text = await request.clone().text()
    if (purpose !== 'submit' || text === '') return call(request)
    const body = JSON.stringify(change(JSON.parse(text) as Readonly<Record<string, unknown>>))
    const headers = new Headers(request.headers)
    headers.delete('content-length')
    return call(new Request(request.url, { method: request.method, headers, body }))
  })

/** Takes a lost answer to an order for one that says something. @param means undefined: it is lost all the same */
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
