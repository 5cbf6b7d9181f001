import type { Setting } from '@fairlot/contract/desk'

export const SOURCE_NAMES: Record<Setting['source'], string> = {
  fixed: 'the environment',
  stored: 'the desk',
  default: 'default',
}

export const valueText = (value: string): string => (value === '' ? 'empty' : value)
