import type { WireRequest } from '../../harness/proxy.ts'
import {
  data,
  fieldsOf,
  header,
  INITIALIZE,
  messageOf,
  PAYMENTS,
  POSTS,
  replies,
  setting,
  withFields,
  withHeader,
  refusal,
} from './edit.ts'
import { edited, type FaultRows, type Plant, type FaultContext } from './fault.ts'
import { inData, inReplies, inRequests, inAnyReplies, remembering } from './rows.ts'

const REFERENCES = 'domain/references.ts'
const USED = /^merchant_reference .*has already been used$/

/** The request with a new reference, and without its key. */
const again = (request: WireRequest, counter: number): WireRequest =>
  withHeader(
    setting({ merchant_reference: `AGAIN-${String(counter).padStart(6, '0')}` })(request),
    'idempotency-key',
    undefined,
  )
/** Carries a request with a used reference out under another one. */
const acceptedAgain = ({ send }: FaultContext, when: (reference: string) => boolean): Plant => {
  let counter = 0
  return replies(PAYMENTS, 409, async (reply, request) => {
    const reference = String(fieldsOf(request)?.['merchant_reference'])
    if (!USED.test(messageOf(reply)) || !when(reference)) return reply
    const accepted = await send(again(request, (counter += 1)))
    return withFields(
      accepted,
      data((inner) => ({ ...inner, merchant_reference: reference })),
    )
  })
}
/** Undefined for a body without one. */
const referenceOf = (request: WireRequest): string | undefined => {
  const reference = fieldsOf(request)?.['merchant_reference']
  return typeof reference === 'string' ? reference : undefined
}
export const referenceRows: FaultRows = {
  'reference-taken-twice': {
    does: 'accepts a merchant_reference a second time',
    plant: (world) => acceptedAgain(world, () => true),
  },
  'twins-both-taken': {
    does: 'accepts two requests with one reference when they come at the same moment',
    plant: (world) => {
      const open = new Map<string, number>()
      const count = (request: WireRequest, by: number) => {
        const reference = referenceOf(request)
        if (reference !== undefined) open.set(reference, (open.get(reference) ?? 0) + by)
      }
      const plant = acceptedAgain(world, (reference) => (open.get(reference) ?? 0) > 1)
      return {
        api: {
          onRequest: (request) => {
            count(request, 1)
            return request
          },
          onReply: async (reply, request) => {
            const changed = (await plant.api?.onReply?.(reply, request)) ?? reply
            // Kept open a moment longer, so that concurrent requests are seen together.
            setTimeout(() => count(request, -1), 50)
            return changed
          },
        },
      }
    },
  },
  'reference-kept-after-refusal': remembering(() => {
    const refused = new Set<string>()
    return inAnyReplies(
      'treats a reference as used although the request was refused',
      (_reply, request) => referenceOf(request) !== undefined,
      (reply, request) => {
        const reference = referenceOf(request) ?? ''
        if (reply.status === 400 && reference !== 'auto') refused.add(reference)
        return reply.status === 202 && refused.has(reference)
          ? refusal(reply, 409, `merchant_reference (${reference}) has already been used`)
          : reply
      },
    )
  }),
  'internal-reference-repeated': remembering(() => {
    let first: unknown
    return inData('gives every collection the internal reference of the first', PAYMENTS, 202, (inner) => ({
      ...inner,
      internal_reference: (first ??= inner['internal_reference']),
    }))
  }),
  'references-of-a-counter': edited(
    'makes twelve of the 16 random symbols of an internal reference from a counter',
    [REFERENCES, 'const REFERENCE_UNIT_MS = 2_000', 'const REFERENCE_UNIT_MS = 2_000\nlet made = 0'],
    [
      REFERENCES,
      '${encoded(time, REFERENCE_TIME_SYMBOLS)}${symbols(random, 16)}',
      '${encoded(time, REFERENCE_TIME_SYMBOLS)}${symbols(random, 4)}${encoded((made += 1), 12)}',
    ],
  ),
  'idempotency-key-ignored': inRequests('carries out a repeated Idempotency-Key again', POSTS, (request) =>
    withHeader(request, 'idempotency-key', undefined),
  ),
  'replay-without-its-page': inReplies(
    'leaves payment_url out of a reply that is repeated',
    INITIALIZE,
    202,
    (reply) =>
      header(reply, 'idempotency-replayed') === 'true'
        ? withFields(
            reply,
            data(({ payment_url: _page, ...rest }) => rest),
          )
        : reply,
  ),
  'replay-not-reported': inReplies('repeats a reply without Idempotency-Replayed', POSTS, 'any', (reply) =>
    withHeader(reply, 'idempotency-replayed', undefined),
  ),
  'replay-always-reported': inReplies('says Idempotency-Replayed for first replies', POSTS, 'any', (reply) =>
    withHeader(reply, 'idempotency-replayed', 'true'),
  ),
  'carried-out-twice': remembering(() => {
    let counter = 0
    return inReplies('carries out every collection twice', INITIALIZE, 202, async (reply, request, { send }) => {
      if (header(reply, 'idempotency-replayed') !== 'true') await send(again(request, (counter += 1)))
      return reply
    })
  }),
}
