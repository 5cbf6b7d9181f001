import { SERVER_LAYERS } from './import-directions.ts'
import type { Finding, Rule } from './rule.ts'
import { codeFiles, type Tree } from './tree.ts'
import { AREAS, DESK_TOPICS, deskTopic, feature, serverFolder, WEB_FOLDERS, webFolder } from './layout.ts'

const BANNED = new Set('common shared helper helpers util utils misc service services lib libs'.split(' '))
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/

function bannedFolder(path: string): string | null {
  const name = path
    .split('/')
    .slice(0, -1)
    .find((folder) => BANNED.has(folder))
  return name === undefined ? null : `a folder called "${name}" is too general: name it after its contents.`
}

function oddName(path: string): string | null {
  const name = path.split('/').find((part) => !part.startsWith('.') && !KEBAB_CASE.test(part))
  return name === undefined
    ? null
    : `"${name}" is not kebab-case: write full words in small letters, joined by "-".`
}

function strayFolder(path: string): string | null {
  const server = serverFolder(path)
  const web = webFolder(path)
  const screens = feature(path)
  if (server !== null && !SERVER_LAYERS.includes(server)) return stray(server)
  if (web !== null && !WEB_FOLDERS.has(web)) return stray(web)
  const topic = deskTopic(path)
  if (topic !== null) return DESK_TOPICS.has(topic) ? null : stray(topic)
  return screens !== null && !AREAS.has(screens) ? stray(screens) : null
}

const stray = (name: string): string =>
  `"${name}" is not a known folder: use one of the names in tools/architecture/layout.ts or a layer of import-directions.ts.`

const findingsIn = (tree: Tree): Finding[] =>
  codeFiles(tree).flatMap(({ path }) =>
    [bannedFolder, oddName, strayFolder]
      .map((check) => check(path))
      .filter((message) => message !== null)
      .map((message) => ({ path, message })),
  )

export const folders: Rule = {
  name: 'folders',
  description:
    'Folders have known names in kebab-case, never "common", "shared", "helpers", "utils", "misc" or "services".',
  check: (tree) => ({ checked: codeFiles(tree).length, findings: findingsIn(tree) }),
}
