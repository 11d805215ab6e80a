import { expect } from 'vitest'
import { run } from './terminal.ts'
import type { Shop } from './shop.ts'

/** A life in the JSON report. */
export interface CertifiedLife {
  readonly id: string
  readonly verdict: string
  readonly did: string
}

/** Runs `certify` against a shop that calls a gateway at this address. */
export async function certify({ url, folder }: Pick<Shop, 'url' | 'folder'>, gatewayUrl: string, ...more: string[]) {
  const { exitCode, printed, complained } = await run(
    ['certify', url, '--gateway', gatewayUrl, '--json', ...more],
    folder,
  )
  expect(complained).toEqual([])
  const { rows } = JSON.parse(printed.join('\n')) as { readonly rows: readonly CertifiedLife[] }
  return { exitCode, lives: rows }
}
