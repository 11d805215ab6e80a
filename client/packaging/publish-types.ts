import { readFileSync, writeFileSync } from 'node:fs'

/** The compiler rewrites imports in JavaScript only, and older compilers of users resolve them literally. */
export function publishTypes(path: string): void {
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replaceAll(/((?:from|import\()\s*['"]\.[^'"]*?)(?:\.d)?\.ts(?=['"])/g, '$1.js'))
}
