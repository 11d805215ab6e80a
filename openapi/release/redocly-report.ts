import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Json } from '../reading/json.ts'
import { redocly } from '../redocly.ts'

/** What stands at a place of one of the two contracts. */
interface ReportedPlace {
  /** JSON pointer into that contract. */
  readonly pointer: string
  /** `$ref`s followed. */
  readonly value?: Json
}

/** A change as `redocly diff` reports it. */
export interface ReportedChange {
  /** What the node is in OpenAPI: `Schema`, `Parameter`, … */
  readonly typeName: string
  readonly kind: 'added' | 'removed' | 'modified'
  /** Of a modified node: which of its values, or `key` for its own name. */
  readonly property?: string
  readonly base?: ReportedPlace
  readonly revision?: ReportedPlace
  /** What the rules that are on say: each calls it breaking. */
  readonly verdicts: readonly { readonly ruleId: string; readonly message: string }[]
}

const CONFIG = fileURLToPath(new URL('redocly.yaml', import.meta.url))

/**
 * What `redocly diff` reports of two bundled contracts.
 *
 * @throws Error when it gives no report
 */
export function reportedChanges(released: Json, current: Json): readonly ReportedChange[] {
  const folder = mkdtempSync(join(tmpdir(), 'malipo-release-'))
  const write = (name: string, contract: Json): string => {
    const file = join(folder, name)
    writeFileSync(file, JSON.stringify(contract))
    return file
  }
  try {
    const [before, after] = [write('released.json', released), write('current.json', current)]
    const output = join(folder, 'report.json')
    redocly('diff', before, after, '--config', CONFIG, '--format', 'json', '--output', output, '--fail-on', 'none')
    return (JSON.parse(readFileSync(output, 'utf8')) as { readonly changes: readonly ReportedChange[] }).changes
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
