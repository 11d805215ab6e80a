import { randomUUID } from 'node:crypto'
import { money } from '../../../domain/money.ts'
import { darajaCollection, darajaPayout } from '../counterparts/daraja.ts'
import { mtnCollection, mtnPayout } from '../counterparts/mtn-momo.ts'
import { adapterThat, bodiesThat, callsThat, lostAnswersThat, worldThat, type Plant } from './plant.ts'

const ACCEPTED = () => new Response(null, { status: 202, headers: { 'content-length': '0' } })

/** Faults in the submitted order, and in how an adapter reads the reply. */
export const IN_ORDERS: readonly Plant[] = [
  {
    name: 'says that a prompt may be repeated',
    in: darajaCollection,
    breaks: [
      'the same order twice moves money once, or the rail says `never`',
      'an order with a lost reply is moved once and booked once',
      'any faults: never moved twice, and booked as often as moved',
      'a reply without a word on money fails no payment',
      'an order that was never read is resent, or waits for staff',
      'an id that only a message gives proves nothing without amount and account',
    ],
    wrong: adapterThat(({ traitsOf }) => ({
      traitsOf: (type) => ({ ...traitsOf(type), repeat: 'safe', unanswered: 'repeat' }),
    })),
  },
  {
    name: 'sends an order with a new id each time',
    in: mtnPayout,
    breaks: [
      'the same order twice moves money once, or the rail says `never`',
      'a token refused in between is renewed, and the same order is resent once',
      'a duplicate refusal means that the order has arrived',
      'amount, currency, account and our id go out exactly',
      'cents go out and come back exactly',
      'a repeated poll returns the same',
      'a poll returns what the operator says now',
      'each of several orders has its own reply',
      'a failure reason is a short sentence without ids and numbers',
      'customers read no internal id',
      'an odd field that decides nothing delays no money and opens no circuit',
    ],
    wrong: callsThat((call, { purpose }) => (request) => {
      if (purpose !== 'submit') return call(request)
      const headers = new Headers(request.headers)
      headers.set('x-reference-id', randomUUID())
      return call(new Request(request, { headers }))
    }),
  },
  {
    name: 'tries a lost order again by itself',
    in: darajaCollection,
    breaks: [
      'lost after acceptance: unknown, and not resent by the rail itself',
      'lost before it is read: unknown',
      'cut in the middle of the reply: unknown',
      'every call is on record, with its order',
    ],
    wrong: adapterThat(({ submit }) => ({
      async submit(order) {
        const answer = await submit(order)
        const isLost = answer.answer === 'unreachable' && /the connection ended/.test(answer.error)
        return isLost ? submit(order) : answer
      },
    })),
  },
  {
    name: 'calls a lost order not sent',
    in: darajaCollection,
    breaks: [
      'lost before it is read: unknown',
      'lost after acceptance: unknown, and not resent by the rail itself',
      'cut in the middle of the reply: unknown',
    ],
    wrong: adapterThat(({ submit }) => ({
      async submit(order) {
        const answer = await submit(order)
        const isLost = answer.answer === 'unreachable' && /the connection ended/.test(answer.error)
        return isLost ? { ...answer, answer: 'not_sent' } : answer
      },
    })),
  },
  {
    name: 'takes a page of HTML for a yes',
    in: mtnCollection,
    breaks: ['an HTML page: unknown, whatever its status', 'a good reply of another content type: unknown'],
    wrong: lostAnswersThat(({ message }) => (/content type|declares none/.test(message) ? ACCEPTED() : undefined)),
  },
  {
    name: 'takes what is not HTTP for a yes',
    in: mtnPayout,
    breaks: ['what is not HTTP: unknown'],
    wrong: lostAnswersThat(({ message }) => (/not valid HTTP/.test(message) ? ACCEPTED() : undefined)),
  },
  {
    name: 'calls HTTP 5xx a refusal',
    in: mtnCollection,
    breaks: ["HTTP 5xx without the operator's own body: unknown"],
    wrong: adapterThat(({ submit }) => ({
      async submit(order) {
        const answer = await submit(order)
        return answer.answer === 'unreachable' && /status 50[34]/.test(answer.error)
          ? { answer: 'refused', reason: 'Mobile money is out of order' }
          : answer
      },
    })),
  },
  {
    name: 'calls a code that it does not know a refusal',
    in: darajaPayout,
    breaks: ['a code without a word on money is no refusal'],
    wrong: adapterThat(({ submit }) => ({
      async submit(order) {
        const answer = await submit(order)
        return answer.answer === 'unreachable' && /answered \d{3}\.\d{3}/.test(answer.error)
          ? { answer: 'refused', reason: 'M-PESA did not take the payout' }
          : answer
      },
    })),
  },
  {
    name: 'calls a refusal unknown',
    in: darajaPayout,
    breaks: [
      'a documented refusal is a refusal, with its code',
      'an amount that the operator cannot express is never sent',
    ],
    wrong: adapterThat(({ submit }) => ({
      async submit(order) {
        const answer = await submit(order)
        return answer.answer === 'refused' ? { answer: 'unreachable', error: answer.reason } : answer
      },
    })),
  },
  {
    name: "gives the operator's own words to the customer",
    in: mtnCollection,
    breaks: ['a documented refusal is a refusal, with its code'],
    wrong: (kind) => {
      let words = ''
      const receives = callsThat((call) => async (request) => {
        const reply = await call(request)
        words = await reply.clone().text()
        return reply
      })
      const repeats = adapterThat(({ submit }) => ({
        async submit(order) {
          const answer = await submit(order)
          return answer.answer === 'refused' ? { ...answer, reason: `${answer.reason}: ${words}` } : answer
        },
      }))
      return repeats(receives(kind))
    },
  },
  {
    name: 'calls an order that has arrived refused',
    in: darajaPayout,
    breaks: [
      'a duplicate refusal means that the order has arrived',
      'the same order twice moves money once, or the rail says `never`',
    ],
    wrong: adapterThat(({ submit }) => ({
      async submit(order) {
        const answer = await submit(order)
        return answer.answer === 'accepted' && answer.externalIds?.['ConversationID'] === undefined
          ? { answer: 'refused', reason: 'M-PESA did not take the payout' }
          : answer
      },
    })),
  },
  {
    name: 'rounds cents away',
    in: darajaCollection,
    breaks: ['an amount that the operator cannot express is never sent'],
    wrong: adapterThat(({ submit }) => ({
      submit: ({ amount: { amountMinor, currency }, ...order }) =>
        submit({ ...order, amount: money(amountMinor - (amountMinor % 100n), currency) }),
    })),
  },
  {
    name: 'sends minor units',
    in: darajaPayout,
    breaks: [
      'amount, currency, account and our id go out exactly',
      'a token refused in between is renewed, and the same order is resent once',
      'reported amounts are read exactly',
    ],
    wrong: bodiesThat((body) => ({ ...body, Amount: Number(body['Amount']) * 100 })),
  },
  {
    name: 'reads amounts as binary fractions',
    in: mtnPayout,
    breaks: [
      'amount, currency, account and our id go out exactly',
      'reported amounts are read exactly',
      'cents go out and come back exactly',
    ],
    wrong: bodiesThat((body) => ({ ...body, amount: BigInt(Number(body['amount'])).toString() })),
  },
  {
    name: "writes our reference onto the customer's screen",
    in: mtnCollection,
    breaks: ['customers read no internal id'],
    wrong: bodiesThat((body) => ({ ...body, payerMessage: `Payment ${String(body['externalId'])}` })),
  },
  {
    name: 'writes times as the machine has them',
    in: darajaCollection,
    breaks: ['requests carry the time that all processes share'],
    wrong: worldThat(({ clock }) => ({ clock: { now: () => new Date(clock.now().getTime() - 3 * 3_600_000) } })),
  },
]
