import fc from 'fast-check'
import { MalipoError } from '../../../../client/index.ts'
import { curlOf, curlOfPath } from '../curl.ts'
import { collections, draftOf, payouts, recipeWords, type Recipe } from '../draft.ts'
import { sendRequest } from '../submit.ts'
import { Violation } from '../violation.ts'
import { clientOf, limitsOf, type SystemUnderTest } from '../world.ts'
import { command, type Command } from './command.ts'

/** Keys that resemble the right ones. */
const WRONG = {
  longer: (key: string) => `${key}0`,
  shorter: (key: string) => key.slice(0, -1),
  'in capitals': (key: string) => key.toUpperCase(),
} as const
type WrongKeyKind = keyof typeof WRONG
const wrongs = fc.constantFrom<WrongKeyKind>('longer', 'shorter', 'in capitals')

async function refusedBy(
  { rules }: SystemUnderTest,
  requests: () => Promise<unknown>,
  what: string,
  curl?: string,
): Promise<void> {
  try {
    await requests()
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
async function expectUnknown({ malipo, rules }: SystemUnderTest, reference: string): Promise<void> {
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

/** A payment request with one wrong key. */
const requestsWithWrong = (
  recipes: fc.Arbitrary<Recipe>,
  key: 'publicKey' | 'secretKey',
  called: string,
): fc.Arbitrary<Command> =>
  fc.tuple(recipes, wrongs).map(([recipe, wrong]) => {
    const how = `with a ${called} that is ${wrong}`
    return command({
      words: `${recipeWords(recipe)} ${how}`,
      async run(model, real) {
        if (!limitsOf(real, recipe)) return 'nothing'
        const { target } = real
        const draft = draftOf(model, real, recipe)
        model.story.push(`${recipeWords(recipe)} (${draft.reference}) ${how}`)
        await refusedBy(
          real,
          () => sendRequest(clientOf(target, { [key]: WRONG[wrong](target[key]) }), draft),
          `${recipeWords(recipe)} ${how}`,
          curlOf(target, draft, { [key]: `wrong${target[key]}` }),
        )
        await expectUnknown(real, draft.reference)
        return 'nothing'
      },
    })
  })
export const paysOutWithWrongSecret = (still: boolean): fc.Arbitrary<Command> =>
  requestsWithWrong(payouts(still), 'secretKey', 'secret key')
export const collectsWithWrongKey = (still: boolean): fc.Arbitrary<Command> =>
  requestsWithWrong(collections(still), 'publicKey', 'public key')

/** Wallets with a wrong secret key, and a payment with a wrong public key. */
export const readsWithWrongKey = (): fc.Arbitrary<Command> =>
  fc.tuple(wrongs, fc.nat(99)).map(([wrong, n]) =>
    command({
      words: `requests wallets and payment ${n} with keys that are ${wrong}`,
      async run(model, real) {
        const { target } = real
        const { publicKey, secretKey } = target
        model.story.push(`requests wallets with a secret key, and a payment with a public key, that is ${wrong}`)
        await refusedBy(
          real,
          () => clientOf(target, { secretKey: WRONG[wrong](secretKey) }).wallets.list(),
          `listing wallets with a secret key that is ${wrong}`,
          curlOfPath(target, '/data/wallet-balances', { secretKey: `wrong${secretKey}` }),
        )
        const reference = model.payments[n % Math.max(model.payments.length, 1)]?.reference ?? `${model.name}-NEVER`
        await refusedBy(
          real,
          () => clientOf(target, { publicKey: WRONG[wrong](publicKey) }).transactions.verify(reference),
          `verify with a public key that is ${wrong}`,
          curlOfPath(target, `/data/transaction/verify/${reference}`, { publicKey: `wrong${publicKey}` }),
        )
        await expectUnknown(real, `${model.name}-NEVER`)
        return 'nothing'
      },
    }),
  )
