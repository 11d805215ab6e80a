// `node --import plant-source.ts?edits=<JSON>`: edits source files while they are loaded, in every thread of the process.
import { registerHooks } from 'node:module'
import { editedText, type SourceEdit } from './planted-fault.ts'

const SERVER = new URL('../../', import.meta.url)
const edits = JSON.parse(new URL(import.meta.url).searchParams.get('edits') ?? '[]') as readonly SourceEdit[]

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const own = edits.filter(({ file }) => new URL(file, SERVER).href === url)
    const { source } = loaded
    if (own.length === 0 || source === undefined || source === null) return loaded
    const text = typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString()
    return { ...loaded, source: own.reduce(editedText, text) }
  },
})
