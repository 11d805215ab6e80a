import { plainBody, exampleOf, nameOf, type FieldOfBody, type PaymentKind } from './payment-kinds.ts'
import type { Option } from '../../../driver/provider-options.ts'
import { questionOf, type Question } from './question.ts'

/** A field's value as other programs write it, in JSON. Most of them are of another type; the contract says which. */
export function otherTypeQuestions(kind: PaymentKind, option: Option): readonly Question[] {
  const body = plainBody(kind, option)
  return kind.fields.flatMap((field) =>
    spellingsOf(field, option).map((text) => {
      const { path } = field
      return questionOf(kind, {
        what: `${nameOf(field)} written ${text}`,
        rule: `type of ${nameOf(field)}`,
        body,
        spelled: { path, text },
      })
    }),
  )
}

/** A boolean as text and number, a number as text, a text as number, and each of them in a list. */
function spellingsOf(field: FieldOfBody, { min }: Option): readonly string[] {
  const { type, enum: values } = field.schema
  if (type === 'boolean') return ['"true"', '"false"', '1', '0', '"yes"', '[true]', '{"value":true}', 'true', 'false']
  if (type === 'number')
    return [`"${min}"`, 'true', `[${min}]`, '{}', 'null', `${min}.0`, `${min}.00`, `${min}e0`, `${min * 10}e-1`]
  const example = JSON.stringify(exampleOf(field))
  return [
    '1234',
    '1234.5',
    'true',
    'false',
    `[${example}]`,
    `{"value":${example}}`,
    ...(values ? ['"no_such_value"'] : []),
  ]
}
