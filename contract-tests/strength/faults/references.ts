import type { WireReply } from '../../harness/proxy.ts'
import { isFields } from '../../harness/json.ts'
import {
  data,
  fieldsOf,
  header,
  messageOf,
  phoneFor,
  replies,
  requests,
  setting,
  withFields,
  withHeader,
} from './edit.ts'
import { faultsOf, type World } from './fault.ts'

const BOTH = ['initializeCollection', 'sendFunds'] as const
const WRITES = ['initializeCollection', 'authorizeCollection', 'sendFunds'] as const
const USED = /has already been used$/

const other = (counter: number) => setting(() => ({ merchant_reference: `AGAIN-${String(counter).padStart(6, '0')}` }))

/** A request with a used reference is carried out under another one. */
const again = ({ send }: World, when: (reference: string) => boolean) => {
  let counter = 0
  return replies(BOTH, 409, async (reply, request) => {
    const reference = String(fieldsOf(request)?.['merchant_reference'])
    const message = messageOf(reply)
    if (!message.startsWith('merchant_reference ') || !USED.test(message) || !when(reference)) return reply
    const accepted = await send(withHeader(other((counter += 1))(request), 'idempotency-key', undefined))
    return withFields(
      accepted,
      data((inner) => ({ ...inner, merchant_reference: reference })),
    )
  })
}

export const referenceFaults = faultsOf('references', {
  'reference-taken-twice': {
    what: 'accepts a merchant_reference a second time',
    at: BOTH,
    plant: (world) => again(world, () => true),
  },
  'twins-both-taken': {
    what: 'accepts two requests with one reference when they come at the same moment',
    at: BOTH,
    plant: (world) => {
      const open = new Map<string, number>()
      const count = (reference: string, by: number) => open.set(reference, (open.get(reference) ?? 0) + by)
      const plant = again(world, (reference) => (open.get(reference) ?? 0) > 1)
      return {
        api: {
          onRequest: (request) => {
            const reference = fieldsOf(request)?.['merchant_reference']
            if (typeof reference === 'string') count(reference, 1)
            return request
          },
          onReply: async (reply, request) => {
            const reference = fieldsOf(request)?.['merchant_reference']
            const changed = (await plant.api?.onReply?.(reply, request)) ?? reply
            // Kept open a moment longer, so that what came together is seen together.
            if (typeof reference === 'string') setTimeout(() => count(reference, -1), 50)
            return changed
          },
        },
      }
    },
  },
  'used-reference-answered-as-first': {
    what: 'answers a used reference as it answered the first time',
    at: BOTH,
    plant: () => {
      const first = new Map<string, WireReply>()
      return {
        api: {
          onReply: (reply, request) => {
            const reference = fieldsOf(request)?.['merchant_reference']
            if (typeof reference !== 'string') return reply
            if (reply.status === 202) first.set(reference, reply)
            return reply.status === 409 ? (first.get(reference) ?? reply) : reply
          },
        },
      }
    },
  },
  'reference-kept-after-refusal': {
    what: 'takes a reference as used although the request was refused',
    at: BOTH,
    plant: () => {
      const refused = new Set<string>()
      return {
        api: {
          onReply: (reply, request) => {
            const reference = fieldsOf(request)?.['merchant_reference']
            if (typeof reference !== 'string' || reference === 'auto') return reply
            if (reply.status === 400) refused.add(reference)
            return reply.status === 202 && refused.has(reference) ? usedReply(reply, reference) : reply
          },
        },
      }
    },
  },
  'reference-not-echoed': {
    what: 'names another merchant_reference than was given',
    at: BOTH,
    plant: () =>
      replies(BOTH, 202, (reply) =>
        withFields(
          reply,
          data((inner) => ({ ...inner, merchant_reference: `R.${String(inner['merchant_reference']).slice(2)}` })),
        ),
      ),
  },
  'internal-reference-repeated': {
    what: 'gives every collection the internal reference of the first',
    at: BOTH,
    plant: () => {
      let first: unknown
      return replies(BOTH, 202, (reply) =>
        withFields(
          reply,
          data((inner) => ({ ...inner, internal_reference: (first ??= inner['internal_reference']) })),
        ),
      )
    },
  },
  'idempotency-key-ignored': {
    what: 'carries out a repeated Idempotency-Key again',
    at: WRITES,
    plant: () => requests(WRITES, (request) => withHeader(request, 'idempotency-key', undefined)),
  },
  'replay-not-told': {
    what: 'repeats a reply without Idempotency-Replayed',
    at: WRITES,
    plant: () => replies(WRITES, 'any', (reply) => withHeader(reply, 'idempotency-replayed', undefined)),
  },
  'replay-always-told': {
    what: 'says Idempotency-Replayed for first replies',
    at: WRITES,
    plant: () => replies(WRITES, 'any', (reply) => withHeader(reply, 'idempotency-replayed', 'true')),
  },
  'replay-header-malformed': {
    what: 'says yes in Idempotency-Replayed',
    at: WRITES,
    plant: () => replies(WRITES, 202, (reply) => withHeader(reply, 'idempotency-replayed', 'yes')),
  },
  'replay-of-another-body': {
    what: 'repeats the first reply although the body is another',
    at: WRITES,
    plant: () => {
      const first = new Map<string, WireReply>()
      return {
        api: {
          onReply: (reply, request) => {
            const key = header(request, 'idempotency-key')
            if (key === undefined) return reply
            if (reply.status === 202) first.set(key, reply)
            const kept = first.get(key)
            return reply.status === 409 && kept ? withHeader(kept, 'idempotency-replayed', 'true') : reply
          },
        },
      }
    },
  },
  'replay-with-other-reference': {
    what: 'repeats a reply with another internal reference',
    at: WRITES,
    plant: () =>
      replies(WRITES, 202, (reply) =>
        header(reply, 'idempotency-replayed') === 'true'
          ? withFields(
              reply,
              data((inner) => ({
                ...inner,
                internal_reference: `MLP${'0'.repeat(18)}${phoneFor('replay').slice(-4)}`,
              })),
            )
          : reply,
      ),
  },
  'accepted-and-lost': {
    what: 'forgets every fifth collection that it has accepted',
    at: ['initializeCollection', 'verifyTransaction'],
    plant: () => {
      let count = 0
      const lost = new Set<string>()
      return {
        api: {
          onReply: (reply, request) => {
            const inner = fieldsOf(reply)?.['data']
            if (
              reply.status === 202 &&
              isFields(inner) &&
              request.path === '/collections/initialize' &&
              (count += 1) % 5 === 0
            )
              lost.add(String(inner['merchant_reference']))
            const asked = /^\/data\/transaction\/verify\/([^/?]+)/.exec(request.path)?.[1]
            return asked !== undefined && lost.has(asked)
              ? { ...usedReply(reply, asked, 404, `Transaction (${asked}) was not found`) }
              : reply
          },
        },
      }
    },
  },
  'carried-out-twice': {
    what: 'carries out every collection twice',
    at: ['initializeCollection'],
    plant: ({ send }) => {
      let counter = 0
      return replies(['initializeCollection'], 202, async (reply, request) => {
        if (header(reply, 'idempotency-replayed') !== 'true')
          await send(withHeader(other((counter += 1))(request), 'idempotency-key', undefined))
        return reply
      })
    },
  },
})

function usedReply(
  reply: WireReply,
  reference: string,
  status = 409,
  message = `merchant_reference (${reference}) has already been used`,
): WireReply {
  return { ...withFields(reply, () => ({ code: status, status: 'error', message, data: {} })), status }
}
