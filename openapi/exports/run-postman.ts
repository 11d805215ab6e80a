import { randomUUID } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { listOf, objectOf, stringsOf, textOf, type Json, type JsonObject } from '../reading/json.ts'

/** A request of the collection that was sent. */
export interface SentItem {
  readonly name: string
  readonly body: unknown
  /** What the request's own script expects of the reply, and did not find. */
  readonly failed: readonly string[]
  /** How many expectations it has. */
  readonly expected: number
}

/** Where the requests go. */
interface RunPostmanOptions {
  readonly baseUrl: string
  /** After each request: a gateway on a fixed clock does nothing by itself. */
  readonly afterEach: () => Promise<void>
}

/**
 * Sends every request of a collection in its order, as Postman's runner does; it knows as much of Postman as our
 * collection uses.
 */
export async function runPostman(
  collection: JsonObject,
  { baseUrl, afterEach }: RunPostmanOptions,
): Promise<SentItem[]> {
  const variables = new Map(
    listOf(collection.variable)
      .map(objectOf)
      .map(({ key, value }) => [textOf(key), textOf(value)]),
  )
  variables.set('baseUrl', baseUrl)
  const sent: SentItem[] = []
  for (const item of listOf(collection.item)
    .map(objectOf)
    .flatMap((folder) => listOf(folder.item).map(objectOf))) {
    sent.push(await send(item, variables))
    await afterEach()
  }
  return sent
}

async function send({ name, request, event }: JsonObject, variables: Map<string, string>): Promise<SentItem> {
  const filled = (text: Json | undefined): string =>
    textOf(text).replaceAll(/\{\{(\$?\w+)\}\}/g, (_, key: string) => (key === '$guid' ? randomUUID() : known(key)))
  const known = (key: string): string => {
    const value = variables.get(key)
    if (value === undefined || value === '') throw new Error(`${textOf(name)}: the variable ${key} has no value`)
    return value
  }
  const enabled = (list: Json | undefined): JsonObject[] =>
    listOf(list)
      .map(objectOf)
      .filter(({ disabled }) => disabled !== true)
  const { method, header, url, body } = objectOf(request)
  const { raw, variable } = objectOf(url)
  const target = enabled(variable).reduce(
    (text, { key, value }) => text.replace(`:${textOf(key)}`, encodeURIComponent(filled(value))),
    filled(raw),
  )
  const response = await fetch(target, {
    method: textOf(method),
    headers: enabled(header).map(({ key, value }): [string, string] => [textOf(key), filled(value)]),
    ...(body !== undefined && { body: filled(objectOf(body).raw) }),
  })
  const reply: unknown = JSON.parse(await response.text())
  return { name: textOf(name), body: reply, ...runScripts(listOf(event), response.status, reply, variables) }
}

/**
 * The part of Postman's `pm` that our scripts use.
 * https://learning.postman.com/docs/tests-and-scripts/write-scripts/postman-sandbox-api-reference/
 */
function runScripts(
  events: readonly Json[],
  status: number,
  reply: unknown,
  variables: Map<string, string>,
): Pick<SentItem, 'failed' | 'expected'> {
  const failed: string[] = []
  let expected = 0
  const pm = {
    test: (what: string, check: () => void) => {
      expected += 1
      try {
        check()
      } catch (error) {
        failed.push(`${what}: ${String(error)}`)
      }
    },
    response: {
      json: () => reply,
      to: {
        have: {
          status: (wanted: number) => {
            if (status !== wanted) throw new Error(`the status is ${status}`)
          },
        },
      },
    },
    collectionVariables: { set: (key: string, value: unknown) => void variables.set(key, String(value)) },
  }
  for (const { script } of events.map(objectOf)) runInNewContext(stringsOf(objectOf(script).exec).join('\n'), { pm })
  return { failed, expected }
}
