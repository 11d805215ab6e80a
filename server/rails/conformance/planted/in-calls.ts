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
      'a token that is refused in the middle is renewed, and the same order goes out once more',
      "a token that ends too soon by the operator's clock costs a renewal, not an order",
      'tokens that are refused for ever end the try: nothing was taken',
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
    breaks: ['no order carries a token that has ended'],
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
      'a token that has ended when it comes makes no storm',
      'tokens that are refused for ever end the try: nothing was taken',
      'questions keep to the same bound',
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
    breaks: ['without a token nothing goes out', 'a name that an object has twice makes what it says unknown'],
    wrong: callsThat((call, { purpose }) => async (request) => {
      if (purpose !== 'token') return call(request)
      return call(request).catch(() => Response.json({ access_token: 'none', expires_in: '3599' }))
    }),
  },
  {
    name: 'makes no difference between questions and checks',
    in: mtnCollection,
    breaks: ['questions keep to the same bound', 'every call is on record, with its order'],
    wrong: worldThat(({ fetchFor }) => ({
      fetchFor: (about) => fetchFor(about.purpose === 'ask' ? { ...about, purpose: 'check' } : about),
    })),
  },
  {
    name: 'calls beside the record',
    in: mtnPayout,
    breaks: [
      'every call is on record, with its order',
      'questions keep to the same bound',
      'a name that an object has twice makes what it says unknown',
    ],
    wrong: worldThat(({ fetchFor }) => ({
      fetchFor: (about) =>
        about.purpose === 'ask' ? (request) => fetch(request, { redirect: 'manual' }) : fetchFor(about),
    })),
  },
  {
    name: 'asks all the time',
    in: darajaPayout,
    breaks: [
      'the waits between questions are whole milliseconds, at least a second and at most a day',
      'the first question does not come before the operator has an answer',
    ],
    wrong: adapterThat(({ traitsOf }) => ({ traitsOf: (type) => ({ ...traitsOf(type), askAfterMs: () => 0 }) })),
  },
  {
    name: 'sends an order again when a question goes wrong',
    in: mtnCollection,
    breaks: [
      'a question that goes wrong on its way tells nothing',
      'an answer that says nothing of money is no result',
    ],
    wrong: adapterThat(({ submit, ask: query }) => ({
      async ask(order) {
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
    wrong: adapterThat(({ ask: query }) => ({
      async ask(order) {
        const known = await query(order)
        return known.knows === 'unreachable' && /too young/.test(known.error) ? { knows: 'nothing_moved' } : known
      },
    })),
  },
  {
    name: 'calls a state that it does not know a failure',
    in: darajaCollection,
    breaks: ['a state that nobody documents is no result'],
    wrong: adapterThat(({ ask }) => ({
      async ask(order) {
        const known = await ask(order)
        return known.knows === 'unreachable' && /means nothing/.test(known.error)
          ? { knows: 'outcome', outcome: { status: 'FAILED', reason: 'M-PESA did not complete it' } }
          : known
      },
    })),
  },
  {
    name: 'takes an answer of another amount for its own',
    in: mtnCollection,
    breaks: ['an answer about another order, amount, currency or name is not about this one'],
    wrong: adapterThat(({ ask }) => ({
      async ask(order) {
        const known = await ask(order)
        return known.knows === 'unreachable' && /another amount/.test(known.error)
          ? { knows: 'outcome', outcome: { status: 'COMPLETED' } }
          : known
      },
    })),
  },
  {
    name: 'remembers what it has heard of an order',
    in: mtnPayout,
    breaks: ['it tells what the operator says now'],
    wrong: adapterThat(({ ask }) => {
      const received = new Map<string, RailKnowledge>()
      return {
        async ask(order) {
          const known = received.get(order.orderId) ?? (await ask(order))
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
      "the operator's own names are given back, and an order is asked about by them",
      'of several orders each has its own answer',
      'asked again, it says the same',
      'it tells what the operator says now',
      'why an order failed is told in a short sentence without ids and numbers',
      'every call is on record, with its order',
      'an odd field that decides nothing holds up no money and opens no circuit',
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
      'no secret stands in an answer, a record or an error',
      'no full account number stands in a record or an error',
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
