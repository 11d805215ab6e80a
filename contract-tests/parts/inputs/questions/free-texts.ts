import { changed } from '../../../../openapi/reading/changed.ts'
import { fieldsOf } from '../../../harness/json.ts'
import { pieces, PRINTABLE, SCRIPTS } from '../texts.ts'
import { exampleOf, nameOf, plainBody, type FieldOfBody, type PaymentKind } from './payment-kinds.ts'
import type { Option } from '../../../driver/provider-options.ts'
import { questionOf, type Question } from './question.ts'

const ACCENT = 'e\u0301'

/** An e-mail address with this number of characters: no part of it exceeds a mail server's limit. */
function addressOf(length: number): string {
  const name = 'a'.repeat(Math.min(64, Math.max(1, length - 5)))
  const host = 'b'.repeat(Math.max(1, length - name.length - 4)).replaceAll(/b{50}(?=b)/g, `${'b'.repeat(49)}.`)
  return `${name}@${host}.cc`
}

/** Texts with a number of code points. A field is tested with all that its pattern allows. */
const MAKERS: Readonly<Record<string, (length: number) => string>> = {
  digits: (length) => '8'.repeat(length),
  'ASCII letters': (length) => 'a'.repeat(length),
  'Chinese letters': (length) => '中'.repeat(length),
  'letters of two UTF-16 units': (length) => '😀'.repeat(length),
  'combining marks': (length) => ACCENT.repeat(length / 2 + 1).slice(0, length),
  'an address': addressOf,
  'a URL': (length) =>
    length < 13 ? `https://${'a'.repeat(Math.max(0, length - 8))}` : `https://a.b/${'x'.repeat(length - 12)}`,
}

/** Texts of exactly the least and the largest length, and of one character less or more. */
export function lengthQuestions(kind: PaymentKind, option: Option): readonly Question[] {
  return textsOf(kind).flatMap((field) => {
    const { minLength = 0, maxLength } = field.schema
    if (maxLength === undefined) return []
    return Object.entries(MAKERS)
      .filter(([, make]) => kind.contract.faultIn(field.schema, make(maxLength)) === undefined)
      .flatMap(([name, make]) =>
        [minLength - 1, minLength, maxLength, maxLength + 1]
          .filter((length) => length > 0)
          .map((length) => textQuestion(kind, option, field, make(length), `${length} ${name}`)),
      )
  })
}

const INSERTED_MAX = 40

/** Each printable character that a field allows: near the beginning of its example, and near the end. */
export function characterQuestions(kind: PaymentKind, option: Option): readonly Question[] {
  return textsOf(kind).flatMap((field) => {
    const example = String(exampleOf(field))
    const room = Math.min(INSERTED_MAX, (field.schema.maxLength ?? INSERTED_MAX) - example.length)
    return [1, example.length - 2].flatMap((at) => {
      const isAllowed = (text: string): boolean => kind.contract.faultIn(field.schema, text) === undefined
      const inserted = (text: string): string => example.slice(0, at) + text + example.slice(at)
      const allowed = [...PRINTABLE].filter((character) => isAllowed(inserted(character))).join('')
      return room < 1 || allowed === ''
        ? []
        : pieces(allowed, room)
            .map(inserted)
            .filter(isAllowed)
            .map((text, index) => textQuestion(kind, option, field, text, `allowed characters, ${at}.${index}`))
    })
  })
}

/** Markup, and what templates, databases and spreadsheets read as their own. */
const MARKUP: Readonly<Record<string, string>> = {
  'a tag': '<b>Amina</b><script>x()</script>',
  'quotes and a tag': `"><img src=x onerror='x()'>`,
  'a template': '{{7*7}} ${7*7} #{7*7} <%=7*7%>',
  entities: '&lt;b&gt; &amp;amp; &#39; &quot;',
  'a template in an address': '{{7*7}}@shop.example',
  'a quote in an address': "o'brien+{b}@shop.example",
  'markup in a URL': "https://shop.example/?q='%3Cb%3E'&amp;n=$(7*7)",
}
const TEXTS: Readonly<Record<string, string>> = {
  ...SCRIPTS,
  ...MARKUP,
  'one letter': '李',
}

/** Whether it could become part of a page: then it is asked of every kind of payment. */
export const hasTag = ({ body }: Question): boolean => JSON.stringify(body).includes('<')

/** Every kind of text in each field that has it. */
export function writtenQuestions(kind: PaymentKind, option: Option): readonly Question[] {
  return textsOf(kind).flatMap((field) =>
    Object.entries(TEXTS).flatMap(([name, text]) =>
      fitting(field, text)
        .filter((fitted) => kind.contract.faultIn(field.schema, fitted) === undefined)
        .map((fitted, index) =>
          textQuestion(kind, option, field, fitted, index === 0 ? name : `${name}, part ${index + 1}`),
        ),
    ),
  )
}

/** The text in pieces of the lengths that the field takes; the last one is filled with letters. */
function fitting({ schema: { minLength = 0, maxLength = Infinity } }: FieldOfBody, text: string): readonly string[] {
  const points = [...text]
  const count = Math.ceil(points.length / maxLength)
  return Array.from({ length: count }, (_, index) => {
    const piece = points.slice(index * maxLength, (index + 1) * maxLength)
    return piece.join('').trim() + 'x'.repeat(Math.max(0, minLength - piece.join('').trim().length))
  })
}

const textsOf = ({ fields }: PaymentKind): readonly FieldOfBody[] =>
  fields.filter(({ schema, isFree }) => isFree && schema.type === 'string' && !schema.enum)

/** An optional object is made for its field. */
function textQuestion(kind: PaymentKind, option: Option, field: FieldOfBody, text: string, what: string): Question {
  return questionOf(kind, {
    what: `${nameOf(field)} of ${what}`,
    rule: `text of ${nameOf(field)}`,
    body: fieldsOf(changed(plainBody(kind, option), field.path, text)),
  })
}
