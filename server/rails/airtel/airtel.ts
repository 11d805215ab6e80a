import type { RailTraits } from '../../actions/ports/rail.ts'
import type { TransactionType } from '../../domain/provider.ts'
import type { Adapter, RailKind, RailWorld, SandboxRailAccount, SettingValues } from '../rail-kind.ts'
import { balancesOf, check, holderOf } from './accounts.ts'
import { ACCOUNT_TAIL, readCallback } from './callback.ts'
import { createCalls } from './calls.ts'
import { listedCollections } from './list.ts'
import { queryOrder, submitOrder, submitRefund, type AirtelConnection } from './orders.ts'
import { probesOf } from './probes.ts'
import { AIRTEL_SETTINGS, COUNTRIES, readSettings, type AirtelSettings, type Country } from './settings.ts'

const ASKED_SOON = '10,20,30,60,300,600,1800,3600'

const inSandbox = (country: Country, provider: string, place: string): SandboxRailAccount => ({
  name: `sandbox-airtel-${place}`,
  provider,
  currency: COUNTRIES[country].currency,
  // An operator on this machine forgets nothing: nobody waits minutes for a lost callback, or for a lost order.
  settings: {
    country,
    collection_ask_after_seconds: ASKED_SOON,
    payout_ask_after_seconds: ASKED_SOON,
    not_found_after_seconds: '20',
  },
})

/** Airtel Money, by its Open API for Africa: collections, payouts, and refunds of whole collections. */
export const airtel: RailKind = {
  name: 'airtel',
  title: 'Airtel Money',
  types: ['COLLECTION', 'PAYOUT'],
  needs: { PAYOUT: ['pin'] },
  productionHosts: [
    'openapi.airtel.africa',
    'openapi.airtel.ug',
    'openapi.airtel.cg',
    'openapi.airtel.td',
    'openapi.airtel.co.zm',
  ],
  sandboxHosts: ['openapiuat.airtel.africa'],
  hasFloat: true,
  callbackTails: [],
  accountTails: [ACCOUNT_TAIL],
  settings: AIRTEL_SETTINGS,
  sandbox: [
    inSandbox('UG', 'airtel_ug', 'uganda'),
    inSandbox('KE', 'airtel_ke', 'kenya'),
    inSandbox('TZ', 'airtel_tz', 'tanzania'),
    inSandbox('RW', 'airtel_rw', 'rwanda'),
    inSandbox('ZM', 'airtel_zm', 'zambia'),
  ],
  statement: {
    defaults: {
      statement_columns: 'reference=Transaction ID; ours=Reference; at=Date; amount=Amount; status=Status',
      statement_statuses: 'TS,Success,Successful',
    },
    receiptName: (type) => (type === 'COLLECTION' ? 'airtel_money_id' : 'reference_id'),
  },
  connect: (settings, world) => connect(settings, world),
}

function connect(given: SettingValues, world: RailWorld): Adapter {
  const settings = readSettings(given, world)
  const connection: AirtelConnection = { settings, world, calls: createCalls(settings, world) }
  const readHere = (message: Parameters<Adapter['readCallback']>[0]) => readCallback(settings, world, message)
  return {
    traitsOf: (type) => traitsOf(settings, type),
    submit: (order) => submitOrder(connection, order),
    query: (order) => queryOrder(connection, order),
    refund: (refund) => submitRefund(connection, refund),
    queryRefund: () =>
      Promise.resolve({
        knows: 'unreachable',
        error: 'whether Airtel has the refund is unknown, and it cannot be asked',
      }),
    readCallback: readHere,
    readMessage: (message) => {
      const reading = readHere(message)
      return reading && { about: 'order', reading }
    },
    balances: () => balancesOf(connection),
    check: ({ account }) => check(connection, account),
    holder: (account) => holderOf(connection, account),
    probes: ({ account }) => probesOf(connection, account),
    ...(settings.hasList && { statement: (from: Date, to: Date) => listedCollections(connection, from, to) }),
  }
}

/** Documented: an id that was used before is refused. Nobody shows it on the wire, so it is asked first. */
function traitsOf({ collectionPollAfterMs, payoutPollAfterMs }: AirtelSettings, type: TransactionType): RailTraits {
  const waits = type === 'COLLECTION' ? collectionPollAfterMs : payoutPollAfterMs
  const pollAfterMs = (queried: number): number => waits[Math.min(queried, waits.length - 1)] ?? 0
  const traits: RailTraits = { repeat: 'safe', pollAfterMs }
  return type === 'COLLECTION'
    ? { ...traits, refund: { repeat: 'never', partial: false, pollAfterMs: () => 3_600_000 } }
    : traits
}
