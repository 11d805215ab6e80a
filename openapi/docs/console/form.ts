import { element, find, options } from './element.ts'
import { keyField, parameterField, valuesIn } from './field.ts'
import type { ConsoleModel, ConsoleOperation, ConsoleParameter, FilledForm } from './model.ts'
import { curlOf, freshReference, requestOf, withFreshReference, type ConsoleRequest } from './request.ts'

export const model: ConsoleModel = JSON.parse(find('try-model', HTMLScriptElement).textContent ?? '')
export const chosen = find('try-operation', HTMLSelectElement)
const example = find('try-example', HTMLSelectElement)
const body = find('try-body', HTMLTextAreaElement)
const keys = find('try-keys', HTMLDivElement)
const parameters = find('try-parameters', HTMLDivElement)

export const pretty = (value: unknown): string => JSON.stringify(value, undefined, 2)

let operation: ConsoleOperation

export const operationNow = (): ConsoleOperation => operation
export const operationOf = (id: string): ConsoleOperation | undefined => model.operations.find((each) => each.id === id)

/** The current values of the form. */
export const filledNow = (): FilledForm => ({
  keys: valuesIn(keys),
  parameters: valuesIn(parameters),
  body: operation.bodies.length === 0 ? '' : body.value,
})

/** The keys for any operation: those in the form, or the demo merchant's. */
export function keysFor({ keys: names }: ConsoleOperation): Readonly<Record<string, string>> {
  const given = valuesIn(keys)
  return Object.fromEntries(names.map((name) => [name, given[name] ?? model.keys[name] ?? '']))
}

const requestNow = (): ConsoleRequest => requestOf(operation, filledNow(), location.origin)

/** Shows the request that Send would send. */
export function showRequest(): void {
  // On a phone the URL breaks after a slash, not before its last bracket.
  const parts = operation.path.split('/').flatMap((part, place) => (place === 0 ? [part] : ['/', element('wbr'), part]))
  find('try-address', HTMLElement).replaceChildren(`${operation.method} `, ...parts)
  find('try-curl', HTMLElement).textContent = curlOf(requestNow())
}

/** The fields to fill in; the rest keeps the contract's example. */
interface FormInput {
  readonly parameters?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Loads an operation into the form, prefilled so that Send works at once. */
export function choose(wanted: ConsoleOperation, filled: FormInput = {}): void {
  const keysThen = keysFor(wanted)
  operation = wanted
  chosen.value = wanted.id
  keys.replaceChildren(...wanted.keys.map((name) => keyField(name, keysThen[name] ?? '')))
  const fields = (areRequired: boolean) =>
    wanted.parameters
      .filter(({ required }) => required === areRequired)
      .map((parameter: ConsoleParameter) =>
        parameterField({ ...parameter, value: filled.parameters?.[parameter.name] ?? parameter.value }),
      )
  const optional = element('details', {}, element('summary', {}, 'Optional parameters'), ...fields(false))
  optional.open = wanted.parameters.some(
    ({ name, required, value }) => !required && (filled.parameters?.[name] ?? value) !== value,
  )
  parameters.replaceChildren(...fields(true), optional)
  example.replaceChildren(...options(wanted.bodies.map(({ name, summary }) => [name, summary])))
  find('try-body-part', HTMLFieldSetElement).hidden = wanted.bodies.length === 0
  showExample()
  if (filled.body !== undefined) body.value = filled.body
  showRequest()
}

function showExample(): void {
  const found = operation.bodies.find(({ name }) => name === example.value)
  body.value = found === undefined ? '' : pretty(withFreshReference(found.value, newReference()))
  showRequest()
}

/** A reference is accepted once: the next Send must make another payment, not get a 409. */
export function renewReference(used: string): void {
  const written = `"${used}"`
  if (!body.value.includes(written)) return
  body.value = body.value.replace(written, `"${newReference()}"`)
  find('try-renewed', HTMLParagraphElement).hidden = false
  showRequest()
}

/** The same body with a fresh reference; anything that is not an object stays unchanged. */
export function asNew(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? pretty(withFreshReference(value as Readonly<Record<string, unknown>>, newReference()))
      : text
  } catch {
    return text
  }
}

const newReference = (): string => freshReference(Date.now(), Math.random())
example.addEventListener('change', showExample)
