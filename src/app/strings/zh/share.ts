import type { share as en } from '../en/share.ts';

export const share: typeof en = {
  shareTitle: '分享本次运行',
  shareWhat: '链接包含清单中已建模的字段；镜像、env 与命令会被替换。',
  shareFull: '包含输入的全文',
  shareLength: '链接长度',
  shareOf: (length, most) => `${length} / ${most} 个字符`,
  shareTooLong: '对许多程序来说过长：请改为保存 YAML。',
  shareLink: '链接',
  copyLink: '复制链接',
  copyCommand: '复制命令',
  copied: '已复制',
  copyFailed: '浏览器不允许复制：请选中链接手动复制。',
  saveYaml: '保存为文件',
  badLink: '无法打开此链接。',
  badPaste: '这段文本不是清单。',
  badPasteWhat: '没有任何改动。请粘贴完整的对象：其中有一行“kind:”，例如“kind: Deployment”。',
};
