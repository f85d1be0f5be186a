/** Links, copies and what comes in. */
export const share = {
  shareTitle: 'Share this run',
  shareWhat: 'The link holds the modelled fields of your manifests. Images, env and commands are replaced.',
  shareFull: 'The full text as typed',
  shareLength: 'Length of the link',
  shareOf: (length: string, most: string) => `${length} of ${most} characters`,
  shareTooLong: 'Too long for many programs: save the YAML instead.',
  shareLink: 'Link',
  copyLink: 'Copy link',
  copyCommand: 'Copy command',
  copied: 'Copied',
  copyFailed: 'The browser did not allow copying: select the link and copy it by hand.',
  saveYaml: 'Save as file',
  badLink: 'This link could not be opened.',
  badPaste: 'This text is no manifest.',
  badPasteWhat: 'Nothing was changed. Paste a whole object: it has a line “kind:”, for example “kind: Deployment”.',
};
