/** Words in the stored names of actions, and what operators see instead. */
const SHOWN_WORDS: Readonly<Record<string, string>> = {
  person: 'user',
  people: 'users',
  ask: 'request',
  acts: 'audit log',
  refuse: 'reject',
  refused: 'rejected',
}

/** Actions that are more than their stored names say: a strategy is also shown again, and its reports are answered. */
const SHOWN_NAMES: Readonly<Record<string, string>> = { hideStrategy: 'Moderate strategy' }

/** The name of an action as it is shown: `restrictPerson` as `Restrict user`. */
export function actionName(act: string): string {
  if (Object.hasOwn(SHOWN_NAMES, act)) return SHOWN_NAMES[act] ?? act
  const words = act.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ')
  const text = words.map((word) => (Object.hasOwn(SHOWN_WORDS, word) ? SHOWN_WORDS[word] : word)).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The outcome of an action: `done`, or `rejected: same operator`. */
export const outcomeText = (outcome: string): string =>
  outcome === 'done' ? outcome : `rejected: ${actionName(outcome).toLowerCase()}`

/** The first and last digits of a hash, enough to compare two by eye. */
export const shortHash = (hash: string): string => `${hash.slice(0, 8)}…${hash.slice(-8)}`
