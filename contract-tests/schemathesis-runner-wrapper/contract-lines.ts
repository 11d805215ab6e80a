import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { textAt } from './read-contract.ts'

/** Where in the contract something is declared. */
export interface ContractLines {
  /** Relative to the folder, with slashes; undefined for a file that is not in it. */
  readonly uri: string | undefined
  /** The line of an operation, by its id or its path; 1 for everything else. */
  lineOf(about: string): number
}

/** @param folder root of file names in code scanning and annotations */
export async function contractLines(location: URL, folder: string): Promise<ContractLines> {
  // Without the contract's file the lines are unknown.
  const lines = (await textAt(location).catch(() => ''))
    .split('\n')
    .map((line) => line.trim().replace(/^([^:\s]+)\s+:/, '$1:'))
  const uri =
    location.protocol === 'file:'
      ? encodeURI(relative(folder, fileURLToPath(location)).split(sep).join('/'))
      : location.href
  return {
    uri: uri.startsWith('../') ? undefined : uri,
    lineOf(about) {
      const [operation = ''] = about.split(',')
      const named = [operation, operation.replace(/^[A-Z]+ /, '')]
      const index = lines.findIndex((line) => named.some((name) => isNamed(line, name)))
      return index < 0 ? 1 : index + 1
    },
  }
}

/** In JSON and in YAML: the id of an operation, a path, the name of a webhook. */
const isNamed = (line: string, name: string): boolean =>
  name !== '' &&
  ([`"operationId": "${name}"`, `operationId: ${name}`].includes(line.replace(/,$/, '')) ||
    [name, `"${name}"`, `'${name}'`].some((key) => line.startsWith(`${key}:`)))
