import { mobilePayout } from '../../driver/bodies.ts'
import type { OpenApiDocument } from '../../schemathesis-runner-wrapper/index.ts'
import type { SeededPayments } from './seed-payments.ts'

/** @throws Error when the contract has changed and this copy must follow it */
function named<Kind>(pieces: Readonly<Record<string, Kind>> | undefined, name: string): Kind {
  const piece = pieces?.[name]
  if (piece === undefined) throw new Error(`there is no ${name}`)
  return piece
}

/** The JSON body of a POST. @throws Error when the contract has changed and this copy must follow it */
const bodyOf = ({ paths }: OpenApiDocument, path: string) =>
  named(named(paths, path).post?.requestBody?.content, 'application/json')

/** Replaces example values by ones that exist on this gateway. No schema changes. */
export function withLiveExamples(
  contract: OpenApiDocument,
  { merchantReference, awaitingOtp, completed, refund, payout, batch }: SeededPayments,
): OpenApiDocument {
  named(contract.components?.parameters, 'MerchantReferenceInPath').example = merchantReference
  named(contract.components?.parameters, 'RefundReferenceInPath').example = refund
  named(contract.components?.parameters, 'BatchReferenceInPath').example = batch
  bodyOf(contract, '/payout/cancel').examples = { over: { value: { merchant_reference: payout } } }
  bodyOf(contract, '/payout/batches').examples = {
    one: {
      value: {
        batch_reference: merchantReference,
        payouts: [mobilePayout({ merchant_reference: `ROW-${merchantReference}`, account_number: '256772000123' })],
      },
    },
  }
  bodyOf(contract, '/collections/refund').examples = Object.fromEntries(
    completed.map((collection_reference) => [
      collection_reference,
      {
        value: {
          merchant_reference: `REFUND-${collection_reference}`,
          collection_reference,
          amount: 500,
          reason: 'Order cancelled',
        },
      },
    ]),
  )
  bodyOf(contract, '/collections/authorize').examples = Object.fromEntries(
    awaitingOtp.map((internal_reference, index) => [
      `waiting_${index}`,
      { value: { internal_reference, otp: 123456 } },
    ]),
  )
  return contract
}
