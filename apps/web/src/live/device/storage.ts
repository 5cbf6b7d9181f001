/** What this device remembers, by name. Nothing else in the app touches the browser's storage. */
export type StoredName =
  | 'token'
  | 'demo'
  | 'language'
  | 'isLanguageUntold'
  | 'theme'
  | 'rise'
  | 'isBalanceHidden'
  | 'instrument'
  | 'watched'
  | 'ticket'
  | 'chart'
  | 'newsSeen'

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

/** A browser that forbids storage gets one that forgets with the page. */
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

/** Remembers a value on this device; null forgets it. A full storage is not an error worth a message. */
export function writeStored(name: StoredName, value: string | null): void {
  try {
    if (value === null) device.removeItem(PREFIX + name)
    else device.setItem(PREFIX + name, value)
  } catch {
    /* Quota: the choice then lasts as long as the page. */
  }
}

/** The JSON kept for this visit under a name, or null when there is none or it cannot be read. */
export function readVisit(name: string): unknown {
  try {
    return JSON.parse(visit.getItem(PREFIX + name) ?? 'null')
  } catch {
    return null
  }
}

/** Keeps JSON for this visit. */
export function writeVisit(name: string, value: unknown): void {
  try {
    visit.setItem(PREFIX + name, JSON.stringify(value))
  } catch {
    /* Quota: the next load starts without a cached list. */
  }
}
