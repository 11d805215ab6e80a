import fc from 'fast-check'
import { collections, draftOf, payouts, recipeWords, withPassword, type AmountRecipe, type Recipe } from '../draft.ts'
import { submit } from '../submit.ts'
import { limitsOf, type Real } from '../world.ts'
import { command, pick, type Command } from './command.ts'

const offered = (real: Real, recipe: Recipe): boolean => limitsOf(real, recipe) !== undefined

const pay = (recipe: Recipe): Command =>
  command({
    words: recipeWords(recipe),
    async run(model, real) {
      if (offered(real, recipe)) await submit(model, real, [draftOf(model, real, recipe)])
      return 'nothing'
    },
  })
export const collects = (still: boolean): fc.Arbitrary<Command> => collections(still).map(pay)
export const collectsWithPassword = (still: boolean): fc.Arbitrary<Command> => withPassword(still).map(pay)
export const paysOut = (still: boolean): fc.Arbitrary<Command> => payouts(still).map(pay)

const anything = (still: boolean): fc.Arbitrary<Recipe> => fc.oneof(collections(still), payouts(still))

/** A reference that was used before, with another request: never accepted, whatever became of the first. */
export const usesReferenceAgain = (still: boolean): fc.Arbitrary<Command> =>
  fc.tuple(anything(still), fc.nat(99)).map(([recipe, n]) =>
    command({
      words: `${recipeWords(recipe)}, with the reference of payment ${n}`,
      ready: ({ payments }) => payments.length > 0,
      async run(model, real) {
        if (offered(real, recipe))
          await submit(model, real, [draftOf(model, real, recipe, pick(model.payments, n).reference)])
        return 'states'
      },
    }),
  )

/**
 * Several requests at the same moment with one reference: exactly one is accepted. With one key they are one request.
 */
export const sendsTwins = (still: boolean): fc.Arbitrary<Command> =>
  fc.tuple(anything(still), fc.integer({ min: 2, max: 4 }), fc.boolean()).map(([recipe, count, oneKey]) =>
    command({
      words: `${count} times at once, with ${oneKey ? 'one key' : 'a key each'}: ${recipeWords(recipe)}`,
      async run(model, real) {
        if (!offered(real, recipe)) return 'nothing'
        const first = draftOf(model, real, recipe)
        const twins = Array.from({ length: count - 1 }, () =>
          oneKey ? first : draftOf(model, real, recipe, first.reference),
        )
        await submit(model, real, [first, ...twins])
        return 'nothing'
      },
    }),
  )

/**
 * Several payments of one account at the same moment: together they keep its daily limit, and its wallet covers what is
 * paid.
 */
export const sendsCrowd = (still: boolean): fc.Arbitrary<Command> =>
  fc.tuple(anything(still), fc.integer({ min: 2, max: 5 })).map(([recipe, count]) =>
    command({
      words: `${count} payments at once: ${recipeWords(recipe)}`,
      async run(model, real) {
        if (!offered(real, recipe)) return 'nothing'
        await submit(
          model,
          real,
          Array.from({ length: count }, () => draftOf(model, real, recipe)),
        )
        return 'nothing'
      },
    }),
  )

/** The same, with amounts that bring the account to its daily limit and over it. */
export const reachesDailyLimit = (): fc.Arbitrary<Command> =>
  fc
    .tuple(
      collections(true),
      fc.constantFrom<AmountRecipe>('max', 'max', 'rest', 'over'),
      fc.integer({ min: 1, max: 4 }),
    )
    .map(([recipe, amount, count]) =>
      command({
        words: `${count} payments at once, up to the daily limit: ${recipeWords({ ...recipe, amount })}`,
        async run(model, real) {
          if (!offered(real, recipe)) return 'nothing'
          await submit(
            model,
            real,
            Array.from({ length: count }, () =>
              draftOf(model, real, { ...recipe, amount, customer: 0, ending: '123' }),
            ),
          )
          return 'nothing'
        },
      }),
    )
