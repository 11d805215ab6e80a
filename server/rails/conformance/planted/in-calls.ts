import type { RailKnowledge } from '../../../actions/ports/rail.ts'
import { darajaCollection, darajaPayout } from '../counterparts/daraja.ts'
import { mtnCollection, mtnPayout } from '../counterparts/mtn-momo.ts'
import { adapterThat, callsThat, worldThat, type Plant } from './plant.ts'

/** Faults in tokens, limits, records and status queries. */
export const IN_CALLS: readonly Plant[] = [
  {
    name: 'does not renew a token that is refused',
    in: mtnCollection,
    breaks: [
      'a token refused in between is renewed, and the same order is resent once',
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
  {
    name: 'takes the seconds of a token for minutes',
    in: mtnPayout,
    breaks: ['no order carries an expired token'],
    wrong: callsThat((call, { purpose }) => async (request) => {
      const reply = await call(request)
      if (purpose !== 'token' || reply.status !== 200) return reply
      const token = (await reply.json()) as { readonly expires_in: number }
      return Response.json({ ...token, expires_in: token.expires_in * 60 })
    }),
  },
  {
    name: 'fetches a token for each order',
    in: darajaPayout,
    breaks: [
      'orders share one token',
      'a token that is expired on arrival causes no storm of calls',
      'tokens that stay refused end the attempt: nothing was accepted',
      'polls keep to the same rate',
      'every call is on record, with its order',
    ],
    wrong: (kind) => ({
      ...kind,
      connect(settings, world) {
        const good = kind.connect(settings, world)
        return { ...good, submit: (order) => kind.connect(settings, world).submit(order) }
      },
    }),
  },
  {
    name: 'sends orders without a token, when it gets none',
    in: darajaCollection,
    breaks: ['without a token nothing is sent', 'an object with a duplicate name is unknown'],
    wrong: callsThat((call, { purpose }) => async (request) => {
      if (purpose !== 'token') return call(request)
      return call(request).catch(() => Response.json({ access_token: 'none', expires_in: '3599' }))
    }),
  },
  {
    name: 'makes no difference between questions and checks',
    in: mtnCollection,
    breaks: ['polls keep to the same rate', 'every call is on record, with its order'],
    wrong: worldThat(({ fetchFor }) => ({
      fetchFor: (about) => fetchFor(about.purpose === 'ask' ? { ...about, purpose: 'check' } : about),
    })),
  },
  {
    name: 'calls beside the record',
    in: mtnPayout,
    breaks: [
      'every call is on record, with its order',
      'polls keep to the same rate',
      'an object with a duplicate name is unknown',
    ],
    wrong: worldThat(({ fetchFor }) => ({
      fetchFor: (about) =>
        about.purpose === 'ask' ? (request) => fetch(request, { redirect: 'manual' }) : fetchFor(about),
    })),
  },
  {
    name: 'queries all the time',
    in: darajaPayout,
    breaks: [
      'poll intervals are whole milliseconds, from a second to a day',
      'the first poll waits until the operator has a result',
    ],
    wrong: adapterThat(({ traitsOf }) => ({ traitsOf: (type) => ({ ...traitsOf(type), pollAfterMs: () => 0 }) })),
  },
  {
    name: 'sends an order again when a question goes wrong',
    in: mtnCollection,
    breaks: ['a poll that fails in transit says nothing', 'a reply without a word on money is no result'],
    wrong: adapterThat(({ submit, query }) => ({
      async query(order) {
        const known = await query(order)
        if (known.knows === 'unreachable') await submit(order)
        return known
      },
    })),
  },
  {
    name: 'believes "not found" at once',
    in: mtnPayout,
    breaks: ['"not found" right after an order is not "nothing moved"'],
    wrong: adapterThat(({ query }) => ({
      async query(order) {
        const known = await query(order)
        return known.knows === 'unreachable' && /too young/.test(known.error) ? { knows: 'nothing_moved' } : known
      },
    })),
  },
  {
    name: 'calls a state that it does not know a failure',
    in: darajaCollection,
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
  {
    name: 'takes an answer of another amount for its own',
    in: mtnCollection,
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
  {
    name: 'remembers what it has heard of an order',
    in: mtnPayout,
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
  {
    name: "forgets the operator's names",
    in: darajaCollection,
    breaks: [
      "the operator's own ids are returned, and an order is polled by them",
      'each of several orders has its own reply',
      'a repeated poll returns the same',
      'a poll returns what the operator says now',
      'a failure reason is a short sentence without ids and numbers',
      'every call is on record, with its order',
      'an odd field that decides nothing delays no money and opens no circuit',
    ],
    wrong: adapterThat(({ submit }) => ({
      async submit(order) {
        const answer = await submit(order)
        return answer.answer === 'accepted' ? { answer: 'accepted' } : answer
      },
    })),
  },
  {
    name: 'tells what it sent when something goes wrong',
    in: mtnCollection,
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
]
