import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServerProcess, type ServerProcess } from '../../../../testing/server-process.ts'
import { callingCodes, phones } from './lazy-packages.ts'

/** A program that prints every module that is loaded, and at the end those of Node. */
const MODULE_LOGGER = `data:text/javascript,
  import { registerHooks } from 'node:module';
  registerHooks({ load: (url, context, next) => (console.log('loaded', url), next(url, context)) });
  process.on('exit', () => console.log(process.moduleLoadList.join('\\n')))`

const LAZY_PACKAGES = [
  'sanitize-html',
  'fast-xml-parser',
  'libphonenumber-js',
  'csv-stringify',
  'yazl',
  'sharp',
  'svg-captcha',
  'altcha',
  'nodemailer',
  'web-push',
  'pg',
  '@zxcvbn-ts/language-common',
  '@fastify/swagger-ui',
  'ajv',
  '@fastify/fast-json-stringify-compiler',
  '@myriaddreamin/typst-ts-node-compiler',
]

let server: ServerProcess
beforeAll(async () => {
  server = await createServerProcess({ env: { FEED: 'replay:samples/eurusd-2014-05-02.ticks.csv.gz' } })
})
afterAll(() => server.stop())

test('an idle server has loaded no package that only few servers need', async () => {
  server.start(['--import', MODULE_LOGGER])
  await server.started()
  await server.stop()
  const lines = server.output().matchAll(/^loaded .*\/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/gm)
  const loaded = new Set([...lines].map(([, name]) => name))
  expect(loaded).toContain('fastify')
  // Node's fetch alone takes 18 MB.
  expect(server.output()).toContain('NativeModule http\n')
  expect(server.output()).not.toContain('undici')
  expect(LAZY_PACKAGES.filter((name) => loaded.has(name))).toEqual([])
})

test('each lazy package is a dependency of the server', () => {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const transitive = ['ajv', '@fastify/fast-json-stringify-compiler']
  for (const name of LAZY_PACKAGES) if (!transitive.includes(name)) expect(manifest).toContain(`"${name}"`)
})

test('the calling codes are those that phone numbers are parsed with', () => {
  const { getCountries, getCountryCallingCode } = phones()
  const known = new Map(getCountries().map((code) => [code, getCountryCallingCode(code)]))
  expect(callingCodes()).toEqual(known)
})
