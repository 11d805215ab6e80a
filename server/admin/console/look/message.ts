import { html } from 'ghtml'
import type { Check, Checks } from '../../../domain/received/message.ts'
import { bytes, visible } from '../../../domain/received/text.ts'
import { known } from './known.ts'
import { pageTexts } from './languages.ts'
import type { Viewer } from './viewer.ts'

// What a message to a merchant's server was, and whether its signatures are good. ghtml escapes every ${value};
// `!${value}` inserts our own markup. A literal text must therefore never end in an exclamation mark.

const TEXTS = pageTexts({
  en: {
    isGood: 'is good',
    isBad: 'is bad',
    withKey: 'Checked with your key {key}.',
    allGood: 'Every signature is good',
    oneBad: 'A signature is bad.',
    someBad: '{count} signatures are bad.',
    believe: 'A merchant must not believe this message.',
    headers: 'Headers',
    headersOf: 'Headers of message {id}',
    body: 'Body',
    bodyOf: 'Body of message {id}',
    asSent: 'Body, byte for byte',
    asSentOf: 'Body of message {id} as it was sent',
    emptyHandshake: 'A handshake has no body: its signature covers webhook-id and webhook-timestamp.',
    empty: 'The body is empty.',
    firstBytes: 'The first {shown} of {all}.',
  },
  fr: {
    isGood: 'est bonne',
    isBad: 'est mauvaise',
    withKey: 'Vérifiée avec votre clé {key}.',
    allGood: 'Toutes les signatures sont bonnes',
    oneBad: 'Une signature est mauvaise.',
    someBad: '{count} signatures sont mauvaises.',
    believe: 'Un marchand ne doit pas croire ce message.',
    headers: 'En-têtes',
    headersOf: 'En-têtes du message {id}',
    body: 'Corps',
    bodyOf: 'Corps du message {id}',
    asSent: 'Corps, octet par octet',
    asSentOf: 'Corps du message {id} tel qu’envoyé',
    emptyHandshake: 'Une vérification n’a pas de corps : sa signature couvre webhook-id et webhook-timestamp.',
    empty: 'Le corps est vide.',
    firstBytes: 'Les premiers {shown} sur {all}.',
  },
})

/** Text to read and copy; long text scrolls inside its block, also by keyboard. */
export const block = (label: string, text: string): string =>
  html`<pre tabindex="0" role="region" aria-label="${label}">${visible(text)}</pre>`

const badChecks = (checks: Checks): number => Object.values(checks).filter(({ verdict }) => verdict === 'bad').length

/** Whether a signature is bad: then nothing that the message says is to be believed. */
export const isBelieved = (checks: Checks): boolean => badChecks(checks) === 0

/** An alarm above a message with bad signatures; empty where all are good. */
export function alarm({ texts }: Viewer, checks: Checks): string {
  const say = texts(TEXTS)
  const count = badChecks(checks)
  const what = count === 1 ? say('oneBad') : say('someBad', { count: String(count) })
  return count === 0 ? '' : html`<p class="flash failed"><b>${what}</b> ${say('believe')}</p>`
}

/** Each signature's verdict with its reason. @param inFull shows also good ones one by one */
export function verdicts(viewer: Viewer, checks: Checks, inFull: boolean): string {
  const say = viewer.texts(TEXTS)
  const list = (['webhook', 'hmac', 'rsa'] as const).filter((name) => checks[name].verdict !== 'not_expected')
  if (!inFull && isBelieved(checks)) return html`<p><span class="badge good">${say('allGood')}</span></p>`
  const one = (name: string, check: Check): string => {
    const isBad = check.verdict === 'bad'
    const text = `${name}-signature ${say(isBad ? 'isBad' : 'isGood')}`
    const key = check.verdict === 'good' && check.key !== undefined ? say('withKey', { key: check.key }) : ''
    const why = isBad ? html`<p>${known(viewer, check.why)}.</p>` : html`<small>${key}</small>`
    const expected = isBad && check.expected !== undefined ? check.expected : ''
    return html`<li><span class="badge !${isBad ? 'bad' : 'good'}">${text}</span> !${why}!${expected && html`<p>${say('expected')}: <code>${expected}</code></p>`}</li>`
  }
  return html`<ul class="verdicts">!${list.map((name) => one(name, checks[name])).join('')}</ul>`
}

interface Content {
  readonly id: bigint | string
  readonly kind: 'callback' | 'handshake'
  readonly headers: Readonly<Record<string, string>>
  /** May be its beginning only. */
  readonly body: Buffer
  readonly bodyBytes: number
}

/** The headers of a message, to be unfolded. */
export function headersOf({ texts }: Viewer, { id, headers }: Content): string {
  const say = texts(TEXTS)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return html`<details><summary>${say('headers')}&nbsp;<small>${lines.length}</small></summary>!${block(say('headersOf', { id: String(id) }), lines.join('\n'))}</details>`
}

/** The body of a message, to be unfolded. @param isAlone unfolds it, and shows also what was sent byte for byte @param rest markup below a part */
export function bodyOf({ texts }: Viewer, message: Content, isAlone: boolean, rest = ''): string {
  const say = texts(TEXTS)
  const { id, body, bodyBytes, kind } = message
  if (bodyBytes === 0) return html`<p class="soft">${say(kind === 'handshake' ? 'emptyHandshake' : 'empty')}</p>`
  const text = body.toString('utf8')
  const isWhole = body.length === bodyBytes
  const pretty = isWhole ? prettyJson(text) : undefined
  const part = say('firstBytes', { shown: bytes(body.length), all: bytes(bodyBytes) })
  const below = isWhole ? '' : html`<p class="soft">${part} !${rest}</p>`
  const raw = block(say('asSentOf', { id: String(id) }), text)
  return html`<details !${isAlone ? 'open' : ''}><summary>${say('body')}&nbsp;<small>${bytes(bodyBytes)}</small></summary>!${block(say('bodyOf', { id: String(id) }), pretty ?? text)}!${below}</details>
!${isAlone && pretty !== undefined ? html`<details><summary>${say('asSent')}</summary>!${raw}</details>` : ''}`
}

/** Larger bodies are not indented: it helps no reader, and deep nesting would make the size quadratic. */
const PRETTY_MAX_CHARACTERS = 65_536
const PRETTY_MAX_DEPTH = 32

function prettyJson(text: string): string | undefined {
  if (text.length > PRETTY_MAX_CHARACTERS || depthOf(text) > PRETTY_MAX_DEPTH) return undefined
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return undefined
  }
}

/** An upper bound: brackets inside strings count too. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const character of text) {
    if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === '}' || character === ']') depth -= 1
  }
  return deepest
}
