import { present } from '../../harness/part.ts'

/**
 * Minimum and maximum length of a text that matches a pattern, for patterns that our lint rules allow. @throws Error
 * for others
 */
export function lengthsOf(pattern: string): Span {
  const rest = { text: pattern.replace(/^\^/, '').replace(/\$$/, ''), at: 0 }
  const span = alternatives(rest)
  if (rest.at < rest.text.length) throw new Error(`${pattern}: ${rest.text.slice(rest.at)} is not understood`)
  return span
}

export interface Span {
  readonly min: number
  readonly max: number
}
interface TextRest {
  readonly text: string
  at: number
}

function alternatives(rest: TextRest): Span {
  const spans = [sequence(rest)]
  while (rest.text[rest.at] === '|') {
    rest.at += 1
    spans.push(sequence(rest))
  }
  return { min: Math.min(...spans.map(({ min }) => min)), max: Math.max(...spans.map(({ max }) => max)) }
}

function sequence(rest: TextRest): Span {
  let [min, max] = [0, 0]
  while (rest.at < rest.text.length && !'|)'.includes(rest.text.charAt(rest.at))) {
    const one = atom(rest)
    const times = repetition(rest)
    min += one.min * times.min
    max += one.max === 0 ? 0 : one.max * times.max
  }
  return { min, max }
}

const ONE: Span = { min: 1, max: 1 }

function atom(rest: TextRest): Span {
  const [group] = /^\((\?:)?/.exec(rest.text.slice(rest.at)) ?? []
  if (group !== undefined) {
    rest.at += group.length
    const span = alternatives(rest)
    rest.at += 1
    return span
  }
  const left = rest.text.slice(rest.at)
  const [text] = present(/^(\[(\\.|[^\]\\])*\]|\\x[0-9a-f]{2}|\\.|.)/i.exec(left), `character in ${left}`)
  rest.at += text.length
  return ONE
}

function repetition(rest: TextRest): Span {
  const [text, from, comma, to] = /^(?:[*+?]|\{(\d+)(,)?(\d+)?\})/.exec(rest.text.slice(rest.at)) ?? ['']
  rest.at += text.length
  switch (text) {
    case '':
      return ONE
    case '*':
      return { min: 0, max: Infinity }
    case '+':
      return { min: 1, max: Infinity }
    case '?':
      return { min: 0, max: 1 }
    default: {
      const min = Number(from)
      if (comma === undefined) return { min, max: min }
      return { min, max: to === undefined ? Infinity : Number(to) }
    }
  }
}
