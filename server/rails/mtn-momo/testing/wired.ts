import { mtnMomo as simulatedMtn } from '../../../../openapi/operators/simulator/mtn-momo/mtn-momo.ts'
import { UGANDA } from '../../../verification/simulation/market.ts'
import { GATEWAY_HOST } from '../../../verification/simulation/wire/gateway-host.ts'
import type { WiredKind } from '../../../verification/simulation/wire/wired-kinds.ts'
import { mtnMomo } from '../mtn-momo.ts'

/** MTN under schedules. */
export const WIRED: WiredKind = {
  kind: mtnMomo,
  market: UGANDA,
  simulated: () => simulatedMtn({ currency: UGANDA.currency, environment: 'mtnuganda', callbackHost: GATEWAY_HOST }),
  referenceOf: ({ orderId }) => orderId,
  referenceInCall: ({ headers }) => headers['x-reference-id'],
  orders: {
    collection: {
      submit: ['requestToPay'],
      poll: ['getRequestToPayStatus'],
      mayQuery: true,
      refusals: ['PAYER_NOT_FOUND', 'NOT_ALLOWED'],
      failures: ['APPROVAL_REJECTED', 'EXPIRED', 'NOT_ENOUGH_FUNDS', 'INTERNAL_PROCESSING_ERROR'],
      certainFailures: [],
    },
    transfer: {
      submit: ['transfer'],
      poll: ['getTransferStatus'],
      mayQuery: true,
      refusals: ['PAYEE_NOT_FOUND', 'NOT_ALLOWED'],
      failures: ['PAYEE_NOT_FOUND', 'NOT_ENOUGH_FUNDS', 'INTERNAL_PROCESSING_ERROR'],
      certainFailures: [],
    },
    refund: {
      submit: ['refund'],
      poll: ['getRefundStatus'],
      mayQuery: true,
      refusals: ['NOT_ALLOWED'],
      failures: ['NOT_ALLOWED', 'INTERNAL_PROCESSING_ERROR'],
      certainFailures: [],
    },
  },
  // More than any payment of a schedule: a refund may be of a single unit.
  lie: { amount: '999999999', status: 'SUCCESSFUL' },
  unknownStatus: { status: 'TIMEOUT' },
  unclear: ['INTERNAL_PROCESSING_ERROR', 'SERVICE_UNAVAILABLE'],
  withoutPull: {},
  // A poll gets the result, sooner or later.
  isUntold: () => false,
  reportsTwice: true,
}
