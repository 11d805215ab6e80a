import fc from 'fast-check'
import { curlOf } from '../curl.ts'
import { DAY_MS, type Draft } from '../payment.ts'
import { send, wordsOf } from '../submit.ts'
import { command, pick, type Command } from './command.ts'

/**
 * The key of an earlier request: with the same body it gets the first reply, otherwise a refusal; no second payment.
 */
export const replays = (): fc.Arbitrary<Command> =>
  fc.tuple(fc.nat(99), fc.boolean()).map(([n, sameBody]) =>
    command({
      words: `the Idempotency-Key of payment ${n} again, with ${sameBody ? 'the same' : 'another'} body`,
      ready: ({ payments }) => payments.length > 0,
      async run(model, { malipo, rules, target }) {
        const payment = pick(model.payments, n)
        const ageMs = model.now - payment.acceptedAt
        if (ageMs === DAY_MS) return 'nothing' // the exact side of the boundary is not specified
        const draft = sameBody ? payment.draft : withOtherText(payment.draft)
        const reply = await send(malipo, draft)
        model.story.push(
          `${wordsOf(draft)} again with its key and ${sameBody ? 'the same' : 'another'} body → ${reply.is === 'accepted' ? '202' : `${reply.status} ${reply.message}`}`,
        )
        if (sameBody && ageMs < DAY_MS) {
          rules.hold(
            'an Idempotency-Key replays the first reply',
            reply.is === 'accepted' && reply.acknowledgement.internal_reference === payment.internalReference,
            `${payment.reference}, sent again with its key, was answered ${JSON.stringify(reply)}; it is ${payment.internalReference}`,
          )
        } else {
          rules.hold(
            'an Idempotency-Key is for one request',
            reply.is === 'refused' && reply.status === 409,
            `${wordsOf(draft)}, with a key that ${sameBody ? 'is older than a day' : 'belongs to another body'}, was answered ${JSON.stringify(reply)}`,
            curlOf(target, draft),
          )
        }
        return 'states'
      },
    }),
  )

const OTHER = { description: 'Three coffees please' }
const withOtherText = (draft: Draft): Draft =>
  draft.type === 'COLLECTION'
    ? { ...draft, request: { ...draft.request, ...OTHER } }
    : { ...draft, request: { ...draft.request, ...OTHER } }
