import type { RailKnowledge } from '../../../actions/ports/rail.ts'
import { KNOWN_COLLECTION, NEVER_COLLECTION, QUERIED_PAYOUT, REPORTED_PAYOUT } from '../counterparts/index.ts'
import { adapterThat, callsThat, worldThat, railFaults } from './plant.ts'

/** Faults in tokens, limits, records and status queries. */
export const IN_CALLS = railFaults('calls', {
  'refused-token-not-renewed': {
    does: 'does not renew a token that is refused',
    rail: KNOWN_COLLECTION,
    breaks: [
      'a token refused in between is renewed, and the same order is resent once',
      'a token refused without words is renewed for the next order, and this one is not resent',
      "a token that expires early by the operator's clock costs a renewal, not an order",
      'tokens that stay refused end the attempt: nothing was accepted',
    ],
    wrong: callsThat((call, { purpose }) => async (request) => {
      const reply = await call(request)
      return purpose === 'submit' && reply.status === 401
        ? Response.json({ code: 'NOT_ALLOWED_NOW', message: 'x' }, { status: 500 })
        : reply
    }),
  },
  'token-seconds-as-minutes': {
    does: 'takes the seconds of a token for minutes',
    rail: QUERIED_PAYOUT,
    breaks: ['no order carries an expired token'],
    wrong: callsThat((call, { purpose }) => async (request) => {
      const reply = await call(request)
      if (purpose !== 'token' || reply.status !== 200) return reply
      const token = (await reply.json()) as { readonly expires_in: number }
      return Response.json({ ...token, expires_in: token.expires_in * 60 })
    }),
  },
  'token-per-order': {
    does: 'fetches a token for each order',
    rail: QUERIED_PAYOUT,
    breaks: ['orders share one token', 'a token that is expired on arrival causes no storm of calls'],
    wrong: (kind) => ({
      ...kind,
      connect(settings, world) {
        const good = kind.connect(settings, world)
        return { ...good, submit: (order) => kind.connect(settings, world).submit(order) }
      },
    }),
  },
  'order-without-token': {
    does: 'sends orders without a token, when it gets none',
    rail: NEVER_COLLECTION,
    breaks: ['without a token nothing is sent'],
    wrong: callsThat((call, { purpose }) => async (request) => {
      if (purpose !== 'token') return call(request)
      return call(request).catch(() => Response.json({ access_token: 'none', expires_in: '3599' }))
    }),
  },
  'polls-without-rate': {
    does: 'sends questions as calls that have no rate',
    rail: KNOWN_COLLECTION,
    breaks: ['polls keep to the same rate'],
    wrong: worldThat(({ fetchFor }) => ({
      fetchFor: (about) => fetchFor(about.purpose === 'ask' ? { ...about, purpose: 'provision' } : about),
    })),
  },
  'calls-unrecorded': {
    does: 'calls beside the record',
    rail: QUERIED_PAYOUT,
    breaks: ['every call is on record, with its order'],
    wrong: worldThat(({ fetchFor }) => ({
      fetchFor: (about) =>
        about.purpose === 'ask' ? (request) => fetch(request, { redirect: 'manual' }) : fetchFor(about),
    })),
  },
  'polls-without-interval': {
    does: 'queries all the time',
    rail: REPORTED_PAYOUT,
    breaks: [
      'poll intervals are whole milliseconds, from a second to a day',
      'the first poll waits until the operator has a result',
    ],
    wrong: adapterThat(({ traitsOf }) => ({ traitsOf: (type) => ({ ...traitsOf(type), pollAfterMs: () => 0 }) })),
  },
  'lost-poll-resends-order': {
    does: 'sends an order again when a question goes wrong',
    rail: KNOWN_COLLECTION,
    breaks: ['a poll that fails in transit says nothing', 'a reply without a word on money is no result'],
    wrong: adapterThat(({ submit, query }) => ({
      async query(order) {
        const known = await query(order)
        if (known.knows === 'unreachable') await submit(order)
        return known
      },
    })),
  },
  'not-found-believed-at-once': {
    does: 'believes "not found" at once',
    rail: QUERIED_PAYOUT,
    breaks: ['"not found" right after an order is not "nothing moved"'],
    wrong: adapterThat(({ query }) => ({
      async query(order) {
        const known = await query(order)
        return known.knows === 'unreachable' && /too young/.test(known.error) ? { knows: 'nothing_moved' } : known
      },
    })),
  },
  'undocumented-state-fails': {
    does: 'calls a state that it does not know a failure',
    rail: NEVER_COLLECTION,
    breaks: ['an undocumented state is no result'],
    wrong: adapterThat(({ query }) => ({
      async query(order) {
        const known = await query(order)
        return known.knows === 'unreachable' && /means nothing/.test(known.error)
          ? { knows: 'outcome', outcome: { status: 'FAILED', reason: 'M-PESA did not complete it' } }
          : known
      },
    })),
  },
  'reply-of-another-amount': {
    does: 'takes an answer of another amount for its own',
    rail: KNOWN_COLLECTION,
    breaks: ['a reply about another order, amount, currency or name does not count'],
    wrong: adapterThat(({ query }) => ({
      async query(order) {
        const known = await query(order)
        return known.knows === 'unreachable' && /another amount/.test(known.error)
          ? { knows: 'outcome', outcome: { status: 'COMPLETED' } }
          : known
      },
    })),
  },
  'poll-replies-cached': {
    does: 'remembers what it has heard of an order',
    rail: QUERIED_PAYOUT,
    breaks: ['a poll returns what the operator says now'],
    wrong: adapterThat(({ query }) => {
      const received = new Map<string, RailKnowledge>()
      return {
        async query(order) {
          const known = received.get(order.orderId) ?? (await query(order))
          received.set(order.orderId, known)
          return known
        },
      }
    }),
  },
  'external-ids-forgotten': {
    does: "forgets the operator's names",
    rail: NEVER_COLLECTION,
    breaks: [
      "the operator's own ids are returned, and an order is polled by them",
      'each of several orders has its own reply',
      'a repeated poll returns the same',
      'a failure reason is a short sentence without ids and numbers',
    ],
    wrong: adapterThat(({ submit }) => ({
      async submit(order) {
        const answer = await submit(order)
        return answer.answer === 'accepted' ? { answer: 'accepted' } : answer
      },
    })),
  },
  'secrets-in-errors': {
    does: 'tells what it sent when something goes wrong',
    rail: KNOWN_COLLECTION,
    breaks: [
      'no secret appears in a reply, a record or an error',
      'no full account number appears in a record or an error',
    ],
    wrong: adapterThat(({ submit }, _world, settings) => ({
      async submit(order) {
        const answer = await submit(order)
        const reported = `${order.account} with ${settings['collection_api_key']}`
        return answer.answer === 'unreachable' ? { ...answer, error: `${answer.error}: ${reported}` } : answer
      },
    })),
  },
})
