import { mkdir, writeFile } from 'node:fs/promises'
import type { ParityResult } from './parity.ts'

const TEXT_MAX = 60
const cut = (text: string): string => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX - 1)}…` : text || 'none')

/** Each explanation once, with its number of uses and one example request; unexplained differences come first. */
export function parityTable({ cases, differences }: ParityResult): string {
  const groups = Object.entries(Object.groupBy(differences, ({ why = '' }) => why)).toSorted(
    ([one], [other]) => Number(one !== '') - Number(other !== ''),
  )
  const rows = groups.map(([why, group = []]) => {
    const shown = why === '' ? group : group.slice(0, 1)
    const lines = shown.map(
      ({ case: { operationId = 'routes', name }, aspect, mock, server }) =>
        `     ${operationId}, ${name}: ${aspect} ${cut(mock)} | ${cut(server)}`,
    )
    return [`${String(group.length).padStart(4)} ${why || 'NOT EXPLAINED'}`, ...lines].join('\n')
  })
  return [
    `${cases} requests, each to the mock and to the server; below: differences, why, and one of each as mock | server`,
    ...rows,
  ].join('\n')
}

const REPORT = new URL('../../../dist/contract-tests/mock-parity.json', import.meta.url)

/** Writes every difference to dist/contract-tests/mock-parity.json, without long bodies and keys. */
export async function writeParity({ cases, differences }: ParityResult): Promise<void> {
  const rows = differences.map(({ case: { operationId, topic, name, method }, aspect, mock, server, why }) => ({
    operationId,
    topic,
    name,
    method,
    aspect,
    mock,
    server,
    why,
  }))
  await mkdir(new URL('.', REPORT), { recursive: true })
  await writeFile(REPORT, `${JSON.stringify({ cases, differences: rows }, null, 1)}\n`)
}
