// SPDX-License-Identifier: MIT
// The nodes at the other ends of a node's edges, in the order in which the edges were added.
//
// Most nodes have a few. If there are many, an index finds one, and a removed one leaves a gap, so that the
// time to build and destroy a node is proportional to its edges, even for tens of thousands. Removing needs
// no memory. Nodes are only addresses here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <vector>

namespace driver {

class Node;

class Neighbours {
 public:
  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Node*;
    using difference_type = std::ptrdiff_t;
    using pointer = Node* const*;
    using reference = Node* const&;

    iterator() = default;
    iterator(Node* const* at, Node* const* end) : at_(at), end_(end) { pass_gaps(); }
    reference operator*() const { return *at_; }
    iterator& operator++() {
      ++at_;
      pass_gaps();
      return *this;
    }
    iterator operator++(int) {
      const iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const iterator& other) const { return at_ == other.at_; }

   private:
    void pass_gaps() {
      while (at_ != end_ && *at_ == nullptr) ++at_;
    }
    Node* const* at_ = nullptr;
    Node* const* end_ = nullptr;
  };

  iterator begin() const { return {nodes_.data(), nodes_.data() + nodes_.size()}; }
  iterator end() const { return {nodes_.data() + nodes_.size(), nodes_.data() + nodes_.size()}; }
  std::size_t size() const { return nodes_.size() - gaps_; }
  bool empty() const { return size() == 0; }

  bool contains(const Node* node) const {
    return places_.empty() ? std::find(nodes_.begin(), nodes_.end(), node) != nodes_.end()
                           : places_.contains(node);
  }

  // It is not there yet. Changes nothing when it throws.
  void add(Node* node) {
    nodes_.push_back(node);
    try {
      index_last();
    } catch (...) {
      nodes_.pop_back();
      throw;
    }
  }

  void remove(const Node* node) noexcept {
    if (places_.empty()) {
      std::erase(nodes_, node);
      return;
    }
    const auto found = places_.find(node);
    if (found == places_.end()) return;
    nodes_[found->second] = nullptr;
    places_.erase(found);
    if (++gaps_ * 2 > nodes_.size()) close_gaps();
  }

 private:
  static constexpr std::size_t kFew = 32;

  void index_last() {
    if (!places_.empty()) {
      places_.emplace(nodes_.back(), nodes_.size() - 1);
    } else if (nodes_.size() > kFew) {
      std::map<const Node*, std::size_t> places;
      for (std::size_t at = 0; at < nodes_.size(); ++at) places.emplace(nodes_[at], at);
      places_.swap(places);
    }
  }

  void close_gaps() noexcept {
    std::erase(nodes_, nullptr);
    gaps_ = 0;
    if (nodes_.size() <= kFew) {
      places_.clear();
      return;
    }
    for (std::size_t at = 0; at < nodes_.size(); ++at) places_.find(nodes_[at])->second = at;
  }

  std::vector<Node*> nodes_;  // null where one was removed
  std::size_t gaps_ = 0;
  std::map<const Node*, std::size_t> places_;  // where each is; empty while there are few
};

}  // namespace driver
