import { changed } from '../../../../openapi/reading/changed.ts'
import { fieldsOf, type Fields } from '../../../harness/json.ts'
import { coveringArray } from './covering-array.ts'
import { nameOf, plainBody, valuesOf, type FieldOfBody, type PaymentKind } from './payment-kinds.ts'
import type { Option } from '../../../driver/provider-options.ts'
import { questionOf, type Question } from './question.ts'

/** An optional field with one of its values; undefined: the field is absent. */
type FieldChoice = readonly [field: FieldOfBody, value: unknown]

export interface ArrayOptions {
  readonly random: () => number
  readonly strength: 2 | 3
}

const RULE = 'optional fields'

/** Each value of each optional field alone, and none of them. */
export const aloneQuestions = (kind: PaymentKind, options: readonly Option[]): readonly Question[] =>
  [[], ...optionalOf(kind).flatMap((field) => valuesOf(field).map((value): FieldChoice[] => [[field, value]]))].flatMap(
    (choices, index) => {
      const option = options[index % options.length]
      return option ? [choiceQuestion(kind, plainBody(kind, option, index), choices)] : []
    },
  )

/** Each value of each optional field, and its absence, with each of every other one, and at each provider. */
export function combinedQuestions(
  kind: PaymentKind,
  options: readonly Option[],
  array: ArrayOptions,
): readonly Question[] {
  return combinations(kind, options.length, array).flatMap(({ first, choices }, index) => {
    const option = options[first]
    return option ? [choiceQuestion(kind, plainBody(kind, option, index), choices)] : []
  })
}

/** The same at one provider, with each of the test numbers. @param endings the last three digits of each */
export function numberQuestions(
  kind: PaymentKind,
  option: Option,
  endings: readonly string[],
  array: ArrayOptions,
): readonly Question[] {
  return combinations(kind, endings.length, array).flatMap(({ first, choices }, index) => {
    const ending = endings[first]
    if (ending === undefined) return []
    return [choiceQuestion(kind, plainBody(kind, option, index), choices, ending)]
  })
}

const optionalOf = ({ fields }: PaymentKind): readonly FieldOfBody[] =>
  fields.filter(({ isRequired, isFree }) => !isRequired && isFree)

/** A covering array of the optional fields, and of one more factor that has so many levels. */
function combinations(kind: PaymentKind, count: number, { random, strength }: ArrayOptions) {
  const optional = optionalOf(kind).map((field) => ({ field, values: [undefined, ...valuesOf(field)] }))
  const choicesOf = (row: readonly (number | undefined)[]): FieldChoice[] =>
    optional.flatMap(({ field, values }, index): FieldChoice[] => {
      const level = row[index + 1]
      return level === undefined || level === 0 ? [] : [[field, values[level]]]
    })
  // A field whose level is still open counts as present: it may yet become so.
  const isAllowed = (row: readonly (number | undefined)[]): boolean => {
    const open = optional.flatMap(({ field, values }, index): FieldChoice[] =>
      row[index + 1] === undefined && field.schema.type === 'string' ? [[field, values[1]]] : [],
    )
    return kind.isPossible(bodyOf({}, [...choicesOf(row), ...open]))
  }
  const levels = [count, ...optional.map(({ values }) => values.length)]
  if (count === 0) return []
  return coveringArray({ levels, strength, random, isAllowed }).map((row) => ({
    first: row[0] ?? 0,
    choices: choicesOf(row),
  }))
}

const bodyOf = (body: Fields, choices: readonly FieldChoice[]): Fields =>
  fieldsOf(choices.reduce<unknown>((given, [{ path }, value]) => changed(given, path, value), body))

function choiceQuestion(kind: PaymentKind, plain: Fields, choices: readonly FieldChoice[], ending?: string): Question {
  const named = choices.map(([field, value]) =>
    typeof value === 'string' ? nameOf(field) : `${nameOf(field)} ${String(value)}`,
  )
  const fields = named.length === 0 ? 'no optional field' : named.join(', ')
  return questionOf(kind, {
    what: `${fields}, at ${String(plain['provider_code'])}${ending === undefined ? '' : `, by the test number ${ending}`}`,
    rule: RULE,
    body: bodyOf(plain, choices),
    ...(ending !== undefined && { ending }),
  })
}
