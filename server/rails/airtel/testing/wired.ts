import { airtel as simulatedAirtel } from '../../../../openapi/operators/simulator/airtel/airtel.ts'
import { isObject } from '../../../../openapi/reading/json.ts'
import { ACCOUNT_ADDRESS } from '../../../domain/callback-tokens.ts'
import { UGANDA } from '../../../verification/simulation/market.ts'
import { addressOf } from '../../../verification/simulation/wire/messages.ts'
import type { WiredKind } from '../../../verification/simulation/wire/wired-kinds.ts'
import { airtel } from '../airtel.ts'
import { ACCOUNT_TAIL } from '../callback.ts'
import { wireId } from '../results.ts'

/** Refusals of Airtel's front, before the order is read. */
const OF_FRONT = ['ROUTER003', 'ROUTER005', 'ROUTER119'] as const

const fieldOf = (value: unknown, field: string): unknown => (isObject(value) ? value[field] : undefined)

/** Airtel under schedules: with signatures, hashes and either padding of PINs, or without. */
export const WIRED: WiredKind = {
  kind: airtel,
  market: UGANDA,
  simulated: (choices) =>
    simulatedAirtel({
      callbackUrl: addressOf(ACCOUNT_ADDRESS, ACCOUNT_TAIL),
      isSigned: choices?.rarely(0.3) === 1,
      hashesCallbacks: choices?.rarely(0.5) === 1,
      pinPadding: choices?.rarely(0.3) === 1 ? 'oaep' : 'pkcs1',
    }),
  // A refund has the receipt of its collection only.
  referenceOf: (order) =>
    'collection' in order ? (order.collection.externalIds['airtel_money_id'] ?? order.orderId) : wireId(order.orderId),
  referenceIn: ({ kind, id, externalId }) => (kind === 'refund' ? externalId : id),
  referenceInCall({ body }) {
    const transaction = fieldOf(body, 'transaction')
    const named = fieldOf(transaction, 'id') ?? fieldOf(transaction, 'airtel_money_id')
    return typeof named === 'string' ? named : undefined
  },
  idInMessage: (body) => String(fieldOf(fieldOf(body, 'transaction'), 'id')),
  orders: {
    collection: {
      submit: ['collect', 'collectSigned'],
      poll: ['getCollectionStatus'],
      mayQuery: true,
      refusals: OF_FRONT,
      failures: ['DP00800001008', 'DP00800001002', 'DP00800001007', 'DP00800001029', 'DP00800001010'],
      certainFailures: [],
    },
    disbursement: {
      submit: ['payOut', 'payOutThird'],
      poll: ['getPayoutStatus', 'getPayoutStatusThird'],
      mayQuery: true,
      refusals: [...OF_FRONT, 'ROUTER115', 'ROUTER116'],
      failures: ['DP00900001013', 'DP00900001003', 'DP00900001012', 'DP00900001019'],
      certainFailures: [],
    },
    refund: {
      submit: ['refund', 'refundSigned'],
      poll: [],
      endsAtOnce: true,
      mayQuery: false,
      refusals: OF_FRONT,
      failures: ['ESB000011'],
      certainFailures: [],
    },
  },
  lie: { data: { transaction: { id: 'f'.repeat(32), status: 'TS' } } },
  unknownStatus: { data: { transaction: { status: 'TX' } } },
  // A code decides nothing: of a failure, an ambiguous one, that of a success, the one with four meanings.
  unclear: ['DP00800009999', 'ROUTER117', 'DP00800001000', 'DP00900001014', 'DP00800001001', 'DP00800001005'],
  withoutPull: {},
  // A poll gets every result but that of a refund, which neither takes an id of ours nor is asked about.
  isUntold: ({ type }) => type === 'REFUND',
  reportsTwice: true,
}
