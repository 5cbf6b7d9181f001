import { viewProof } from '@fairlot/contract/desk'
import { refuse } from '../../http/refusal.ts'
import type { DeskServices } from '../desk-services.ts'

/** Pictures that people have sent, for the roles that judge them. A view is written down before anything is shown. */
export function registerDeskFiles({ api, acts, traders: { pictures } }: DeskServices): void {
  api.file(viewProof, async ({ operator, input: { key } }) => {
    const file = await pictures.find(key)
    const bytes = file && (await pictures.bytesOf(file))
    if (!file || !bytes) return refuse('fileUnknown')
    const subject = file.usedBy ?? `picture:${key}`
    const seen = { operator, subject, accountId: file.userId, caseKey: file.usedBy }
    const answer = { bytes, type: file.type, name: 'picture.jpg' }
    return acts.note({ ...seen, act: 'viewProof', after: { picture: key, sha256: file.sha256 } }, () =>
      Promise.resolve(answer),
    )
  })
}
