import { NoAnswer } from '../../operator-errors.ts'
import type { Adapter, CallbackReading, ExchangeAbout, RailKind, RailWorld, SettingValues } from '../../rail-kind.ts'
import type { Counterpart } from '../counterpart.ts'
import type { PlantedFault } from '../../../verification/planted-faults/planted-fault.ts'

/** A fault that somebody could write into an adapter, injected into a good one. */
interface AdapterPlant {
  readonly in: 'adapter'
  /** The adapter and the operator that it talks to. */
  readonly rail: Counterpart
  /** The rules that it breaks, its own first. */
  readonly breaks: readonly [string, ...string[]]
  wrong(kind: RailKind): RailKind
}

export interface RailFault extends PlantedFault {
  readonly plant: AdapterPlant
}

type RailRow = { readonly does: string } & Omit<AdapterPlant, 'in'>

/** Faults of one kind, by name. */
export const railFaults = (kind: string, rows: Readonly<Record<string, RailRow>>): readonly RailFault[] =>
  Object.entries(rows).map(([name, { does, ...plant }]) => ({
    name,
    kind,
    does,
    foundBy: ['rules of rails'],
    plant: { in: 'adapter', ...plant },
  }))

type Change<Of> = (good: Of, world: RailWorld, settings: SettingValues) => Partial<Of>

/** The adapter with some of its calls replaced by faulty ones. */
export const adapterThat =
  (change: Change<Adapter>): AdapterPlant['wrong'] =>
  (kind) => ({
    ...kind,
    connect(settings, world) {
      const good = kind.connect(settings, world)
      return { ...good, ...change(good, world, settings) }
    },
  })

/** The adapter with a changed reading of messages. */
export const readingThat = (change: (reading: CallbackReading) => CallbackReading): AdapterPlant['wrong'] =>
  adapterThat(({ readCallback }) => ({
    readCallback(callback) {
      const reading = readCallback(callback)
      return reading && change(reading)
    },
  }))

/** The adapter with a changed world. */
export const worldThat =
  (change: (world: RailWorld) => Partial<RailWorld>): AdapterPlant['wrong'] =>
  (kind) => ({ ...kind, connect: (settings, world) => kind.connect(settings, { ...world, ...change(world) }) })

type Call = (request: Request) => Promise<Response>

/** The adapter with its HTTP calls changed. */
export const callsThat = (change: (call: Call, about: ExchangeAbout) => Call): AdapterPlant['wrong'] =>
  worldThat((world) => ({ fetchFor: (about) => change(world.fetchFor(about), about) }))

/** Changes the request body. */
export const bodiesThat = (change: (body: Readonly<Record<string, unknown>>) => object): AdapterPlant['wrong'] =>
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
export const lostAnswersThat = (means: (error: NoAnswer) => Response | undefined): AdapterPlant['wrong'] =>
  callsThat((call, { purpose }) => async (request) => {
    try {
      return await call(request)
    } catch (error) {
      const meant = purpose === 'submit' && error instanceof NoAnswer ? means(error) : undefined
      if (meant) return meant
      throw error
    }
  })
