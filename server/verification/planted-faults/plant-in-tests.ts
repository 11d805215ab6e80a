import { fileURLToPath } from 'node:url'
import { editedText, type SourceEdit } from './planted-fault.ts'

const SERVER = new URL('../../', import.meta.url)

/** A plugin of Vite that edits sources as tests load them. @param json the edits, a list of SourceEdit */
export function plantInTests(json = '[]') {
  const edits = JSON.parse(json) as readonly SourceEdit[]
  return {
    name: 'planted faults',
    enforce: 'pre' as const,
    transform(code: string, id: string) {
      const own = edits.filter(({ file }) => fileURLToPath(new URL(file, SERVER)) === id)
      return own.length === 0 ? undefined : { code: own.reduce(editedText, code), map: null }
    },
  }
}
