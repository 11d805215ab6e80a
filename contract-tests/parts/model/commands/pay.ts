import fc from 'fast-check'
import { collections, draftOf, payouts, recipeWords, withPassword, type AmountRecipe, type Recipe } from '../draft.ts'
import { submit } from '../submit.ts'
import type { Draft } from '../payment.ts'
import { limitsOf, type PaymentModel, type SystemUnderTest } from '../world.ts'
import { command, pick, type Command, type Effect } from './command.ts'

/** Sends drafts concurrently, if the server offers the option. */
const submits = (
  words: string,
  recipe: Recipe,
  drafts: (model: PaymentModel, real: SystemUnderTest) => readonly Draft[],
  more: Partial<Pick<Parameters<typeof command>[0], 'ready'>> & { readonly effect?: Effect } = {},
): Command =>
  command({
    words,
    ...(more.ready && { ready: more.ready }),
    async run(model, real) {
      if (limitsOf(real, recipe)) await submit(model, real, drafts(model, real))
      return more.effect ?? 'nothing'
    },
  })
const times = (count: number, make: () => Draft): Draft[] => Array.from({ length: count }, make)

const pay = (recipe: Recipe): Command =>
  submits(recipeWords(recipe), recipe, (model, real) => [draftOf(model, real, recipe)])
export const collects = (still: boolean): fc.Arbitrary<Command> => collections(still).map(pay)
export const collectsWithPassword = (still: boolean): fc.Arbitrary<Command> => withPassword(still).map(pay)
export const paysOut = (still: boolean): fc.Arbitrary<Command> => payouts(still).map(pay)

const anything = (still: boolean): fc.Arbitrary<Recipe> => fc.oneof(collections(still), payouts(still))

/** A used reference with another request: never accepted, whatever became of the first. */
export const usesReferenceAgain = (still: boolean): fc.Arbitrary<Command> =>
  fc
    .tuple(anything(still), fc.nat(99))
    .map(([recipe, n]) =>
      submits(
        `${recipeWords(recipe)}, with the reference of payment ${n}`,
        recipe,
        (model, real) => [draftOf(model, real, recipe, pick(model.payments, n).reference)],
        { ready: ({ payments }) => payments.length > 0, effect: 'states' },
      ),
    )

/** Concurrent requests with one reference: exactly one is accepted. With one key they are one request. */
export const sendsTwins = (still: boolean): fc.Arbitrary<Command> =>
  fc.tuple(anything(still), fc.integer({ min: 2, max: 4 }), fc.boolean()).map(([recipe, count, oneKey]) =>
    submits(
      `${count} times at once, with ${oneKey ? 'one key' : 'a key each'}: ${recipeWords(recipe)}`,
      recipe,
      (model, real) => {
        const first = draftOf(model, real, recipe)
        return [first, ...times(count - 1, () => (oneKey ? first : draftOf(model, real, recipe, first.reference)))]
      },
    ),
  )

/** Concurrent payments of one account: together they keep its daily limit, and its wallet covers what is paid. */
export const sendsCrowd = (still: boolean): fc.Arbitrary<Command> =>
  fc
    .tuple(anything(still), fc.integer({ min: 2, max: 5 }))
    .map(([recipe, count]) =>
      submits(`${count} payments at once: ${recipeWords(recipe)}`, recipe, (model, real) =>
        times(count, () => draftOf(model, real, recipe)),
      ),
    )

const upToTheLimit = fc.constantFrom<AmountRecipe>('max', 'max', 'rest', 'over')
/** The same, with amounts that bring the account to its daily limit and over it. */
export const reachesDailyLimit = (): fc.Arbitrary<Command> =>
  fc.tuple(collections(true), upToTheLimit, fc.integer({ min: 1, max: 4 })).map(([recipe, amount, count]) => {
    const words = `${count} payments at once, up to the daily limit: ${recipeWords({ ...recipe, amount })}`
    return submits(words, recipe, (model, real) =>
      times(count, () => draftOf(model, real, { ...recipe, amount, customer: 0, ending: '123' })),
    )
  })
