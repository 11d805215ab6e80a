import fc from 'fast-check'
import { createMalipo, MalipoError, type Malipo } from '../../../../client/index.ts'
import { curlOf } from '../curl.ts'
import { collections, draftOf, payouts, recipeWords, type Recipe } from '../draft.ts'
import type { send } from '../submit.ts'
import { Violation } from '../violation.ts'
import { limitsOf, type Model, type Real } from '../world.ts'
import { command, type Command } from './command.ts'

/** Keys that look like the right ones. */
const WRONG = {
  longer: (key: string) => `${key}0`,
  shorter: (key: string) => key.slice(0, -1),
  'in capitals': (key: string) => key.toUpperCase(),
} as const
type Wrong = keyof typeof WRONG
const wrongs = fc.constantFrom<Wrong>('longer', 'shorter', 'in capitals')

async function refusedBy<Value>(
  { rules }: Real,
  ask: () => Promise<Value>,
  what: string,
  curl?: string,
): Promise<void> {
  try {
    await ask()
  } catch (error) {
    if (!(error instanceof MalipoError) || error.status === undefined || error.status >= 500) throw error
    return rules.hold(
      'a wrong key is answered 401',
      error.status === 401,
      `${what} was answered ${error.status} ${error.message}`,
      curl,
    )
  }
  throw new Violation('a wrong key is answered 401', `${what} was accepted`, curl)
}

/** A reference that was never accepted is unknown. */
async function expectUnknown({ malipo, rules }: Real, reference: string): Promise<void> {
  const status = await malipo.transactions.verify(reference).then(
    () => 200,
    (error: unknown) => (error instanceof MalipoError ? error.status : undefined),
  )
  rules.hold(
    'what was refused does not exist',
    status === 404,
    `verify of ${reference}, which was never accepted, is answered ${status ?? 'nothing'}`,
  )
}

/** A payout with a wrong secret key. */
export const paysOutWithWrongSecret = (still: boolean): fc.Arbitrary<Command> =>
  fc.tuple(payouts(still), wrongs).map(([recipe, wrong]) =>
    command({
      words: `${recipeWords(recipe)} with a secret key that is ${wrong}`,
      run: (model, real) =>
        tryWith(model, real, recipe, `with a secret key that is ${wrong}`, {
          secretKey: WRONG[wrong](real.target.secretKey),
        }),
    }),
  )

/** A collection with a wrong public key. */
export const collectsWithWrongKey = (still: boolean): fc.Arbitrary<Command> =>
  fc.tuple(collections(still), wrongs).map(([recipe, wrong]) =>
    command({
      words: `${recipeWords(recipe)} with a public key that is ${wrong}`,
      run: (model, real) =>
        tryWith(model, real, recipe, `with a public key that is ${wrong}`, {
          publicKey: WRONG[wrong](real.target.publicKey),
        }),
    }),
  )

async function tryWith(
  model: Model,
  real: Real,
  recipe: Recipe,
  how: string,
  keys: { readonly publicKey?: string; readonly secretKey?: string },
): Promise<'nothing'> {
  if (!limitsOf(real, recipe)) return 'nothing'
  const { target } = real
  const draft = draftOf(model, real, recipe)
  const malipo = createMalipo({
    baseUrl: target.url,
    publicKey: target.publicKey,
    secretKey: target.secretKey,
    maxRetries: 0,
    ...keys,
  })
  model.story.push(`${recipeWords(recipe)} (${draft.reference}) ${how}`)
  await refusedBy(
    real,
    async () => throwRefusal(malipo, draft),
    `${recipeWords(recipe)} ${how}`,
    curlOf(target.url, draft, keys.secretKey === undefined ? undefined : 'wrong$SECRET_KEY'),
  )
  await expectUnknown(real, draft.reference)
  return 'nothing'
}

async function throwRefusal(malipo: Malipo, draft: Parameters<typeof send>[1]): Promise<void> {
  await (draft.type === 'COLLECTION'
    ? malipo.collections.initialize(draft.request)
    : malipo.payouts.send(draft.request))
}

/** Wallets with a wrong secret key, and a payment with a wrong public key. */
export const looksWithWrongKey = (): fc.Arbitrary<Command> =>
  fc.tuple(wrongs, fc.nat(99)).map(([wrong, n]) =>
    command({
      words: `looks at wallets and at payment ${n} with keys that are ${wrong}`,
      async run(model, real) {
        const {
          target,
          target: { url: baseUrl, publicKey, secretKey },
        } = real
        model.story.push(`looks at wallets with a secret key, and at a payment with a public key, that is ${wrong}`)
        await refusedBy(
          real,
          () => createMalipo({ baseUrl, publicKey, secretKey: WRONG[wrong](secretKey), maxRetries: 0 }).wallets.list(),
          `listing wallets with a secret key that is ${wrong}`,
          `curl -i ${target.url}/data/wallet-balances -H "public-key: $PUBLIC_KEY" -H "secret-key: wrong$SECRET_KEY" -H "x-api-version: 1"`,
        )
        const reference = model.payments[n % Math.max(model.payments.length, 1)]?.reference ?? `${model.name}-NEVER`
        await refusedBy(
          real,
          () =>
            createMalipo({ baseUrl, publicKey: WRONG[wrong](publicKey), maxRetries: 0 }).transactions.verify(reference),
          `verify with a public key that is ${wrong}`,
          `curl -i ${target.url}/data/transaction/verify/${reference} -H "public-key: wrong$PUBLIC_KEY" -H "x-api-version: 1"`,
        )
        await expectUnknown(real, `${model.name}-NEVER`)
        return 'nothing'
      },
    }),
  )
