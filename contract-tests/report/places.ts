import { readFile } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'

/** Where in the contract something is declared. */
export interface ContractLines {
  /** Relative to the folder, with slashes; undefined for a file that is not in it. */
  readonly uri: string | undefined
  /** The line of an operation, by its id or its path; 1 for everything else. */
  lineOf(about: string): number
}

/** @param folder root of file names in code scanning and annotations */
export async function placesIn(file: string, folder: string): Promise<ContractLines> {
  // Without the contract's file the lines are unknown.
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').map((line) => line.trim())
  const path = relative(folder, resolve(file)).split(sep).join('/')
  return {
    uri: path.startsWith('../') ? undefined : encodeURI(path),
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
  (name !== '' &&
    [`"operationId": "${name}"`, `operationId: ${name}`].some((text) => line.replace(/,$/, '') === text)) ||
  [`"${name}": {`, `${name}:`, `'${name}':`].some((text) => line === text)
