import '@fontsource-variable/inter';
import { useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { onMounted, watch } from 'vue';
import './style.css';

export default {
  extends: DefaultTheme,
  setup() {
    const { frontmatter } = useData();
    const isHome = () => frontmatter.value['layout'] === 'home';
    onMounted(() => watch(isHome, markMain, { immediate: true, flush: 'post' }));
  },
};

/** The theme's start page has no main landmark; its other pages have one within this element. */
function markMain(isHome: boolean): void {
  const content = document.getElementById('VPContent');
  if (isHome) content?.setAttribute('role', 'main');
  else content?.removeAttribute('role');
}
