/** Names of the values stored on this device. Only this file uses the browser's storage. */
export type StoredName =
  | 'token'
  | 'user'
  | 'demo'
  | 'language'
  | 'languageToReport'
  | 'theme'
  | 'rise'
  | 'isBalanceHidden'
  | 'instrument'
  | 'watched'
  | 'ticket'
  | 'chart'
  | 'newsSeen'
  | 'font'
  | 'traded'
  | 'tour'
  | 'seen'

const PREFIX = 'fairlot.'

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

function memoryStore(): Store {
  const entries = new Map<string, string>()
  return {
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  }
}

/** The browser's storage; where it is forbidden, one that lasts as long as the page. */
function open(kind: 'localStorage' | 'sessionStorage'): Store {
  try {
    const store = globalThis[kind]
    store.setItem(`${PREFIX}probe`, '1')
    store.removeItem(`${PREFIX}probe`)
    return store
  } catch {
    return memoryStore()
  }
}

const device = open('localStorage')
const visit = open('sessionStorage')

export const readStored = (name: StoredName): string | null => device.getItem(PREFIX + name)

/** Stores a value on this device; null removes it. A full storage is ignored. */
export function writeStored(name: StoredName, value: string | null): void {
  try {
    if (value === null) device.removeItem(PREFIX + name)
    else device.setItem(PREFIX + name, value)
  } catch {
    /* Quota exceeded: the choice lasts as long as the page. */
  }
}

/** The JSON stored for this visit under a name; null when there is none or it cannot be read. */
export function readVisit(name: string): unknown {
  try {
    return JSON.parse(visit.getItem(PREFIX + name) ?? 'null')
  } catch {
    return null
  }
}

/** Stores JSON for this visit. */
export function writeVisit(name: string, value: unknown): void {
  try {
    visit.setItem(PREFIX + name, JSON.stringify(value))
  } catch {
    /* Quota exceeded: it lasts as long as the page. */
  }
}
