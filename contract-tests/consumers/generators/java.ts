import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generator } from './generator.ts'
import {
  findOpenapiGenerator,
  MAVEN_DEPENDENCIES,
  runOpenapiGenerator,
  sharedByLanguages,
} from './openapi-generator.ts'
import { bring } from './programs.ts'
import { runTool, words } from './run-tool.ts'

const CLASSES = 'target/classes'
const LIBRARIES = 'target/dependency'

export const java: Generator = {
  ...sharedByLanguages,
  name: 'openapi-generator java',
  language: 'Java',
  explained: [
    {
      line: /Ignoring complex example on request body/,
      why: 'the examples of a request stay out of its documentation',
    },
  ],
  find: findOpenapiGenerator,
  generate: (tool, job) => runOpenapiGenerator(tool, job, 'java', ['--library', 'native']),
  compile: async (_tool, { folder }) => {
    const project = join(folder, 'malipo')
    await mkdir(join(project, 'src/main/java'), { recursive: true })
    await bring('Call.java', join(project, 'src/main/java/Call.java'))
    const copying = `${MAVEN_DEPENDENCIES}:copy-dependencies`
    const steps = [...words('-q -B -DskipTests compile'), copying, `-DoutputDirectory=${join(project, LIBRARIES)}`]
    return runTool('mvn', steps, { cwd: project })
  },
  call: (_tool, { folder, url }) =>
    runTool('java', ['-cp', `${CLASSES}:${LIBRARIES}/*`, 'Call', url], { cwd: join(folder, 'malipo') }),
}
