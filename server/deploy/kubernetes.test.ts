import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadAll } from 'js-yaml'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { SETTINGS } from '../settings.ts'
import { testWithNightlyTool } from '../verification/testing/nightly.ts'
import { run, testWith, toolPath } from './testing/tools.ts'

// Kubernetes accepts the manifests, they have no unknown fields, and they fit together.

const folder = fileURLToPath(new URL('kubernetes', import.meta.url))

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly data?: Readonly<Record<string, string>>
  readonly stringData?: Readonly<Record<string, string>>
  readonly spec?: {
    readonly selector?: { readonly matchLabels?: Labels }
    readonly template?: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec }
  }
}
type Labels = Readonly<Record<string, string>>
interface PodSpec {
  readonly securityContext: object
  readonly terminationGracePeriodSeconds: number
  readonly containers: readonly {
    readonly name: string
    readonly image: string
    readonly args: readonly string[]
    readonly securityContext: object
  }[]
}

const manifests = readdirSync(join(folder, 'base'))
  .filter((name) => name !== 'kustomization.yaml')
  .flatMap((name) => loadAll(readFileSync(join(folder, 'base', name), 'utf8')) as Manifest[])

/** The folder of a kind's models; those of the core group are in a folder without a group. */
const moduleOf = ({ apiVersion, kind }: Manifest): string => `kubernetes-models/${apiVersion}/${kind}`

/** Type errors that TypeScript reports for the manifests as object literals: missing, mistyped and unknown fields. */
function faultsOfTypes(given: readonly Manifest[]): readonly string[] {
  const file = fileURLToPath(new URL('manifests-as-objects.ts', import.meta.url))
  const source = given
    .map((manifest, index) => {
      const type = `import('${moduleOf(manifest)}').I${manifest.kind}`
      return `export const m${index}: ${type} = ${JSON.stringify(manifest)}`
    })
    .join('\n')
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (name) => name === file || fileExists(name)
  host.readFile = (name) => (name === file ? source : readFile(name))
  host.getSourceFile = (name, target, ...more) =>
    name === file ? ts.createSourceFile(name, source, target) : getSourceFile(name, target, ...more)
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

/** Schema errors beyond types: patterns, formats, ranges. */
async function faultsOfSchema(manifest: Manifest): Promise<string | undefined> {
  const models = (await import(moduleOf(manifest))) as Record<string, new (data: object) => { validate(): void }>
  const Model = models[manifest.kind]
  if (!Model) return `no model of ${manifest.kind}`
  try {
    new Model(manifest).validate()
    return undefined
  } catch (error) {
    return String(error)
  }
}

test('the manifests are of these kinds', () => {
  expect(manifests.map(({ kind }) => kind).toSorted()).toEqual(
    ['ConfigMap', 'CronJob', 'Deployment', 'StatefulSet', 'Job', 'Namespace', 'NetworkPolicy']
      .concat(['PodDisruptionBudget', 'PodDisruptionBudget', 'Service', 'Service'])
      .toSorted(),
  )
})

const testSchemas = testWithNightlyTool('kubernetes-models')
testSchemas('every manifest fits the schema of its kind; two broken copies do not', async () => {
  const text = JSON.stringify(manifests.find(({ kind }) => kind === 'Deployment'))
  const broken = ['"replicas":"2"', '"replica":2'].map(
    (fault) => JSON.parse(text.replace('"replicas":2', fault)) as Manifest,
  )
  expect(faultsOfTypes([...manifests, ...broken])).toEqual([
    expect.stringContaining("'string' is not assignable to type 'number'"),
    expect.stringContaining(`'"replica"' does not exist`),
  ])
  for (const manifest of manifests) expect(await faultsOfSchema(manifest), manifest.metadata.name).toBeUndefined()
})

test('operator messages reach unready pods and wait on a volume of their own', () => {
  const api = manifests.find(({ kind }) => kind === 'StatefulSet')!
  const text = JSON.stringify(api)
  expect(text).toContain('"volumeMounts":[{"name":"spool","mountPath":"/var/lib/malipo"}]')
  expect(text).toContain('"volumeClaimTemplates":[{"metadata":{"name":"spool"}')
  expect(text).toContain('{"name":"MALIPO_SPOOL_DIR","value":"/var/lib/malipo/spool"}')
  const services = manifests.filter(({ kind }) => kind === 'Service').map((service) => JSON.stringify(service))
  expect(services.filter((service) => service.includes('"publishNotReadyAddresses":true'))).toHaveLength(1)
})

const workloads = manifests.filter(({ spec }) => spec?.template !== undefined)

test.each(workloads)('$metadata.name runs without privileges, and its parts name each other', ({ kind, spec }) => {
  const { metadata, spec: pod } = spec!.template!
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  for (const { securityContext } of pod.containers)
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  const isServed = kind === 'Deployment' || kind === 'StatefulSet'
  if (isServed) expect(metadata.labels).toMatchObject(spec!.selector!.matchLabels!)
  const budgets = manifests.filter((other) => other.kind === 'PodDisruptionBudget')
  const fitting = budgets.filter((other) =>
    Object.entries(other.spec!.selector!.matchLabels!).every(([name, value]) => metadata.labels[name] === value),
  )
  expect(fitting).toHaveLength(isServed ? 1 : 0)
})

test('servers do not know the owner of the database', () => {
  const owners = manifests.filter((manifest) => JSON.stringify(manifest).includes('"name":"malipo-owner"'))
  expect(owners.map(({ kind }) => kind).sort()).toEqual(['CronJob', 'Job'])
})

test('the gateway knows every variable of the settings, and none holds a secret', () => {
  const names = manifests.flatMap(({ kind, data }) => (kind === 'ConfigMap' ? Object.keys(data ?? {}) : []))
  const known = Object.values(SETTINGS).map(({ name }) => name)
  expect(names.length).toBeGreaterThan(4)
  expect(names.filter((name) => !known.includes(name))).toEqual([])
  expect(names).not.toContain('MALIPO_MASTER_KEY')
  expect(names).not.toContain('DATABASE_URL')
})

test('a pod serves on for a part of its shutdown time', () => {
  const [drainMs] = manifests.flatMap(({ kind, data }) => (kind === 'ConfigMap' ? [data?.['MALIPO_DRAIN_MS']] : []))
  const graces = workloads.map(({ spec }) => spec!.template!.spec.terminationGracePeriodSeconds)
  expect(Number(drainMs)).toBeGreaterThan(0)
  for (const seconds of graces) expect(Number(drainMs)).toBeLessThan((seconds * 1_000) / 2)
})

async function builtExample(): Promise<readonly Manifest[]> {
  const built = await run('kubectl', ['kustomize', join(folder, 'example')])
  expect(built.code, built.text).toBe(0)
  return loadAll(built.out) as Manifest[]
}

const testExample = testWith(['kubectl'], 'kubernetes-client')
const testExampleSchemas = toolPath('kubectl') === undefined ? testExample : testSchemas
testExampleSchemas('every manifest of the built example fits the schema of its kind', async () => {
  expect(faultsOfTypes(await builtExample())).toEqual([])
})

testExample('kubectl builds the example: its image, its secret and its address', async () => {
  const all = await builtExample()
  const secrets = all.filter(({ kind }) => kind === 'Secret').map(({ metadata }) => metadata.name)
  expect(secrets).toHaveLength(2)
  const secret = secrets.find((name) => name.startsWith('malipo-secrets'))
  const pods = all.flatMap(({ spec }) => (spec?.template ? [JSON.stringify(spec.template.spec)] : []))
  expect(pods).toHaveLength(3)
  for (const pod of pods) {
    expect(pod).toMatch(/"image":"registry\.example\.com\/malipo:\d/)
    expect(pod).toContain(`"secretRef":{"name":"${secret}"}`)
  }
  expect(all.find(({ kind }) => kind === 'ConfigMap')!.data!.PUBLIC_BASE_URL).toBe('https://pay.example.com')
  expect(all.filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'malipo')).toEqual([])
})

// The chart. Debian has no helm: `go install` builds it.

const testChart = testWith(['helm'], 'go install helm.sh/helm/v4/cmd/helm@v4.3.1')
const testChartSchemas = toolPath('helm') === undefined ? testChart : testSchemas
const chart = join(folder, '../helm/malipo')
const LIVE = ['mode=live', 'publicBaseUrl=https://gateway.example.com', 'secrets.name=malipo-secrets']
const ALL = [...LIVE, 'secrets.owner=malipo-owner']

const helm = (command: readonly string[], values: readonly string[]) =>
  run('helm', [...command, chart, ...values.flatMap((value) => ['--set', value])])

async function rendered(values: readonly string[], release = 'malipo'): Promise<readonly Manifest[]> {
  const { code, text, out } = await helm(['template', release], values)
  expect(code, text).toBe(0)
  return loadAll(out) as Manifest[]
}

/** Without its image, and without what Helm needs to tell releases and their changes apart. */
const SET_ASIDE = /^(image|imagePullPolicy|app\.kubernetes\.io\/instance|checksum\/.*)$/

/** What the objects do, by kind and name. The migration of the chart has its settings itself: it runs before the map. */
const effects = (given: readonly Manifest[]): object =>
  Object.fromEntries(
    given.map(({ metadata: { name }, ...rest }) => {
      const text = JSON.stringify(rest, (key, value: unknown) => {
        if (rest.kind === 'Job' && key === 'envFrom')
          return (value as readonly object[]).filter((source) => !('configMapRef' in source))
        return SET_ASIDE.test(key) || (rest.kind === 'Job' && key === 'env') ? undefined : value
      })
      return [`${rest.kind} ${name}`, JSON.parse(text) as unknown]
    }),
  )

testChart('the chart with secrets renders the objects of the base', async () => {
  const all = await rendered(ALL)
  expect(effects(all)).toEqual(effects(manifests.filter(({ kind }) => kind !== 'Namespace')))
  const settings = Object.entries(all.find(({ kind }) => kind === 'ConfigMap')!.data!)
  const migration = JSON.stringify(all.find(({ kind }) => kind === 'Job'))
  expect(migration).toContain(
    `"env":${JSON.stringify(settings.map(([name, value]) => ({ name, value })).toSorted((a, b) => (a.name < b.name ? -1 : 1)))}`,
  )
})

testChart('the chart without values is one pod with its own PostgreSQL, and no secret', async () => {
  const all = await rendered([])
  const pods = all.flatMap(({ spec }) => (spec?.template ? [JSON.stringify(spec)] : []))
  expect(pods).toHaveLength(1)
  expect(pods[0]).toContain('"replicas":1')
  expect(pods[0]).toContain('"args":["serve"]')
  expect(pods[0]).toContain('{"name":"MALIPO_DATA_DIR","value":"/var/lib/malipo/data"}')
  expect(pods[0]).toContain('{"mountPath":"/var/lib/malipo","name":"spool"}')
  expect(JSON.stringify(all)).not.toContain('secretRef')
})

testChart('two releases in one namespace share no name and no pod', async () => {
  const [one, other] = [await rendered(ALL), await rendered(ALL, 'second')]
  const names = [...one, ...other].map(({ kind, metadata }) => `${kind} ${metadata.name}`)
  expect(new Set(names).size).toBe(names.length)
  const selectors = [...one, ...other].flatMap(
    (each) => JSON.stringify(each).match(/"matchLabels":\{"app[^}]*\}/g) ?? [],
  )
  expect(selectors.length).toBeGreaterThan(10)
  for (const selector of selectors) expect(selector).toMatch(/instance":"(malipo|second)"/)
})

testChart.each([
  [['mode=live'], /mode live needs publicBaseUrl, which begins with https:/],
  [['mode=rehearsal', 'publicBaseUrl=http://a.example'], /mode rehearsal needs publicBaseUrl/],
  [LIVE.slice(0, 2), /mode live needs secrets.name, a secret with DATABASE_URL and MALIPO_MASTER_KEY/],
  [LIVE, /mode live needs secrets.owner, a secret with MIGRATION_DATABASE_URL/],
  [['ingress.enabled=true'], /ingress.enabled needs publicBaseUrl/],
  [['mod=live'], /additional properties 'mod' not allowed/],
  [['settings.MALIPO_DRAINMS=1'], /invalid propertyName 'MALIPO_DRAINMS'/],
  [['settings.MALIPO_MASTER_KEY=a'], /invalid propertyName 'MALIPO_MASTER_KEY'/],
])('the chart refuses %j', async (values, reason) => {
  const { code, text } = await helm(['template', 'malipo'], values)
  expect(code).not.toBe(0)
  expect(text).toMatch(reason)
})

const INGRESS = [...ALL, 'ingress.enabled=true', 'ingress.tlsSecret=a', 'settings.MALIPO_PROMPTS_PER_DAY=1000000']

testChart('helm lint finds nothing, and numbers stay numbers', async () => {
  for (const values of [[], INGRESS]) {
    const { code, text } = await helm(['lint', '--strict'], values)
    expect(code, text).toBe(0)
  }
  expect(JSON.stringify(await rendered(INGRESS))).toContain('"MALIPO_PROMPTS_PER_DAY":"1000000"')
})

testChartSchemas('every object of the chart fits the schema of its kind', async () => {
  const all = [...(await rendered([])), ...(await rendered(INGRESS))]
  expect(faultsOfTypes(all)).toEqual([])
  for (const each of all) expect(await faultsOfSchema(each), each.metadata.name).toBeUndefined()
})
