import { changed } from '../../../../openapi/reading/changed.ts'
import { withoutEmptyFields } from '../../../harness/coverage/empty-fields.ts'
import type { Fields } from '../../../harness/json.ts'
import type { PaymentKind } from './payment-kinds.ts'

/** A request for a payment that is made from the contract, and what the contract says about it. */
export interface Question {
  readonly kind: PaymentKind
  /** What is special about it, in words that follow "with": `customer_name and charge_customer true`. */
  readonly what: string
  /** Equal for requests that test the same. */
  readonly rule: string
  /** Without what makes each payment another one: the reference, and mostly the account number. */
  readonly body: Fields
  /** The last three digits of the account number. */
  readonly ending: string
  /** The field whose value is written as this JSON text. */
  readonly spelled?: { readonly path: readonly string[]; readonly text: string }
  readonly expected: Expected
}

/** A reason is a message of the contract, or what its schema says. */
export type Expected = 'accepted' | { readonly refused: string }

const PLAIN_ENDING = '001'

/** A question, whose expected reply is read from the contract. */
export function questionOf(
  kind: PaymentKind,
  made: Pick<Question, 'what' | 'rule' | 'body' | 'spelled'> & { readonly ending?: string },
): Question {
  return { kind, ending: PLAIN_ENDING, ...made, expected: expectedOf(kind, made) }
}

/** What fills in for the fields that each sender adds: valid, and never sent. */
const ADDED: Fields = { merchant_reference: 'ORDER-2026-0001', msisdn: '256772000123', account_number: '256772000123' }

function expectedOf(kind: PaymentKind, { body, spelled }: Pick<Question, 'body' | 'spelled'>): Expected {
  const { contract } = kind
  const added = Object.entries(ADDED).filter(([name]) => kind.required.includes(name))
  const whole = { ...Object.fromEntries(added), ...body }
  const sent: unknown = spelled ? changed(whole, spelled.path, JSON.parse(spelled.text)) : whole
  const counted = withoutEmptyFields(contract, kind.declared, sent)
  const fault = contract.faultIn(kind.schema, counted)
  if (fault !== undefined) return { refused: fault }
  return kind.isPossible(counted) ? 'accepted' : { refused: 'redirect_url is required' }
}

/** One of the questions of each group, that of the seed; all of them for the nightly run. */
export function sampled(
  questions: readonly Question[],
  groupOf: (question: Question) => string,
  { seed, size }: { readonly seed: number; readonly size: 'pull-request' | 'nightly' },
): readonly Question[] {
  if (size === 'nightly') return questions
  const groups = [...Map.groupBy(questions, groupOf).values()]
  return groups.flatMap((group, index) => group[(seed + index) % group.length] ?? [])
}
